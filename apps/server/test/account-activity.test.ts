/** The activity of one account over all APIs: who, from where, the changed fields, and no secrets. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActivityEntry, ActivityResponse } from '@lanternrock/contract/activity';
import { consoleClientInfo } from '@lanternrock/contract/runtime';
import { sql } from '@lanternrock/postgres';
import { setCommandOrigin } from '../src/cli/audit-origin.ts';
import { accountsCommand } from '../src/cli/commands/accounts.ts';
import { captureOutput } from './support/command-output.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

const asConsole = { 'X-Client-Info': consoleClientInfo };

eachEngine('account activity', (engine) => {
  let test: TestService;
  let admin: TestUser;
  let token: string;
  beforeAll(async () => {
    test = await startTestService(engine);
    admin = await test.createUser({ isAdministrator: true, fullName: 'Ann Admin' });
    token = (await test.signIn(admin)).access_token;
  });
  afterAll(async () => test.close());

  const send = async (
    path: string,
    body: object,
    { method = 'POST', headers = {}, as = token }: { method?: string; headers?: object; as?: string } = {},
  ): Promise<unknown> => {
    const response = await test.request(path, {
      method,
      headers: {
        apikey: test.anonKey,
        Authorization: `Bearer ${as}`,
        'Content-Type': 'application/json',
        Prefer: 'return=representation',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect({ path, status: response.status, text }).toMatchObject({
      status: response.status < 300 ? response.status : 200,
    });
    return JSON.parse(text === '' ? 'null' : text);
  };
  /** The entries of all groups, newest first. */
  const list = async (filter: object): Promise<readonly ActivityEntry[]> =>
    ((await send('/functions/v1/list-activity', filter)) as ActivityResponse).entries.flatMap(
      ({ further, ...entry }) => [entry, ...further.toReversed()],
    );
  const createAccount = async (headers: object): Promise<{ id: string; updated_at: string }> => {
    const account = {
      name: 'Alpine Rescue',
      slug: 'alpine-rescue',
      account_type: 'enterprise',
      status: 'active',
      created_by: admin.id,
    };
    const [row] = (await send('/rest/v1/accounts', account, { headers })) as {
      id: string;
      updated_at: string;
    }[];
    return row ?? { id: '', updated_at: '' };
  };

  it('lists changes of the console, other clients, functions and the command line', async () => {
    const { id } = await createAccount(asConsole);
    await send(`/rest/v1/accounts?id=eq.${id}`, { city: 'Bern' }, { method: 'PATCH', headers: asConsole });
    await send(`/rest/v1/accounts?id=eq.${id}`, { city: 'Basel' }, { method: 'PATCH' });
    const [account] = (await send(
      `/rest/v1/accounts?id=eq.${id}`,
      { state: 'BS' },
      {
        method: 'PATCH',
        as: test.serviceRoleKey,
        headers: { apikey: test.serviceRoleKey },
      },
    )) as { updated_at: string }[];
    await send(
      '/functions/v1/set-account-status',
      { account_id: id, status: 'suspended', reason: 'Invoice unpaid', updated_at: account?.updated_at },
      { headers: asConsole },
    );
    await test.database.transaction(async (tx) => {
      await setCommandOrigin({ osUser: 'root' })(tx);
      await tx.query(
        sql`insert into public.account_members (account_id, user_id) values (${id}, ${admin.id})`,
      );
    });
    const entries = await list({ record: id });
    expect(
      entries.map(({ actor_name: who, origin, table_name: table, changes }) => ({
        who,
        origin,
        table,
        changes: changes.map(({ field, before, after }) => `${field}: ${before} > ${after}`),
      })),
    ).toEqual([
      {
        who: 'command line (root)',
        origin: 'command line',
        table: 'public.account_members',
        changes: ['status: null > active'],
      },
      ...expectedStatusEntries,
      { who: null, origin: 'interface', table: 'public.accounts', changes: ['state: null > BS'] },
      { who: 'Ann Admin', origin: 'interface', table: 'public.accounts', changes: ['city: Bern > Basel'] },
      { who: 'Ann Admin', origin: 'console', table: 'public.accounts', changes: ['city: null > Bern'] },
      {
        who: 'Ann Admin',
        origin: 'console',
        table: 'public.accounts',
        changes: expect.arrayContaining(['name: null > Alpine Rescue']),
      },
    ]);
    expect(entries[0]).toMatchObject({ record_name: 'Alpine Rescue', member_name: 'Ann Admin' });
  });

  it('keeps the entries of a deleted account', async () => {
    const { id } = await createAccount({});
    await test.database.query(sql`delete from public.accounts where id = ${id}`);
    expect((await list({ record: id })).map(({ action, record_name: name }) => `${action} ${name}`)).toEqual([
      'DELETE Alpine Rescue',
      'INSERT Alpine Rescue',
    ]);
  });

  it('lists exports of accounts, by the console and the command line', async () => {
    const response = await test.request('/functions/v1/export-accounts', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...asConsole },
      body: '{}',
    });
    expect([response.status, (await response.text()).startsWith('id,')]).toEqual([200, true]);
    expect(
      await accountsCommand.parse(['export']).run(test.service, captureOutput(test.config.DATA_DIR)),
    ).toBe(0);
    const changes = expect.arrayContaining([{ field: 'list', before: null, after: 'accounts' }]);
    expect(await list({ kind: 'exports' })).toMatchObject([
      { action: 'exported', actor_id: null, origin: 'command line', changes },
      { action: 'exported', actor_id: admin.id, origin: 'console', changes },
    ]);
  });

  it('lists changes of the sign-in methods of administrators, without secrets', async () => {
    const other = await test.createUser({ isAdministrator: true });
    const plain = await test.createUser();
    for (const user of [other, plain]) {
      const { access_token: as } = await test.signIn(user);
      await send(
        '/auth/v1/user',
        { password: 'a new lantern on pier 8', current_password: user.password },
        {
          method: 'PUT',
          as,
          headers: asConsole,
        },
      );
    }
    expect(await list({ person: plain.id })).toEqual([]);
    const entries = await list({ person: other.id });
    expect(entries).toMatchObject([
      {
        action: 'user_updated_password',
        table_name: 'auth.users',
        record_id: other.id,
        origin: 'console',
        changes: [],
      },
    ]);
    const { access_token: as } = await test.signIn({ ...other, password: 'a new lantern on pier 8' });
    const factor = (await send('/auth/v1/factors', { factor_type: 'totp' }, { as, headers: asConsole })) as {
      id: string;
      totp: { secret: string };
    };
    const path = `/auth/v1/factors/${factor.id}`;
    const challenge = (await send(`${path}/challenge`, {}, { as })) as { id: string };
    const code = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) }).generate();
    await send(`${path}/verify`, { challenge_id: challenge.id, code }, { as, headers: asConsole });
    expect((await list({ person: other.id }))[0]).toMatchObject({
      action: 'factor_added',
      record_id: other.id,
      origin: 'console',
    });
    const log = await test.database.query<{ text: string }>(
      sql`select string_agg(l::text, '') as text from private.audit_log l`,
    );
    expect(log[0]?.text).not.toContain(factor.totp.secret);
    expect(log[0]?.text).not.toMatch(
      /lantern on pier|scrypt|argon|encrypted_password|refresh_token|token_hash/i,
    );
  });
});

/** The status and its reason change in one transaction. */
const expectedStatusEntries = [
  {
    who: 'Ann Admin',
    origin: 'console',
    table: 'private.account_suspensions',
    changes: expect.arrayContaining(['reason: null > Invoice unpaid']),
  },
  {
    who: 'Ann Admin',
    origin: 'console',
    table: 'public.accounts',
    changes: ['status: active > suspended'],
  },
];
