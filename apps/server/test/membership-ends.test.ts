/** Memberships that end by themselves: rights, sessions, counts, reactivation and undo. */
import { randomUUID } from 'node:crypto';
import type { AccountMembersResponse, MemberChangeResponse } from '@lanternrock/contract/account-members';
import type { ActivityResponse } from '@lanternrock/contract/activity';
import { createAuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { sql } from '@lanternrock/postgres';
import { runs, seed } from '@lanternrock/testing/property-runs';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endMemberships } from '../src/accounts/membership-ends.ts';
import { createFunctionCaller, type CallFunction } from './support/call-function.ts';
import { runCommandIn } from './support/run-in-service.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const toIso = (time: string | null | undefined): string | null =>
  time ? new Date(time).toISOString() : null;

eachEngine('memberships that end', (engine) => {
  let test: TestService;
  let call: CallFunction;
  let ann: TestUser;
  let annToken: string;
  let mia: TestUser;
  let miaToken: string;
  let account: string;
  beforeAll(async () => {
    test = await startTestService(engine);
    call = createFunctionCaller(test);
    ann = await test.createUser({ isAdministrator: true });
    annToken = (await test.signIn(ann)).access_token;
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    await settle();
    mia = await test.createUser();
    miaToken = (await test.signIn(mia)).access_token;
    account = await createAccount('Vail Ski Patrol');
  });

  const createAccount = async (name: string): Promise<string> => {
    const id = randomUUID();
    await test.database.query(
      sql`insert into public.accounts (id, name, slug, account_type) values (${id}, ${name}, 'a', 'enterprise')`,
    );
    await test.database.query(
      sql`insert into public.account_contacts (account_id, position, name) values (${id}, 1, 'Contact')`,
    );
    return id;
  };
  const post = (name: string, body: object, token = annToken) =>
    call(name, { account_id: account, ...body }, token);
  const change = async (name: string, body: object): Promise<MemberChangeResponse> => {
    const [status, response] = await post(name, body);
    expect([status, response]).toMatchObject([200, {}]);
    return response as MemberChangeResponse;
  };
  const add = (more: object = {}) => change('add-account-member', { email: mia.email, ...more });
  const set = (body: object) => change('set-account-member', { user_id: mia.id, ...body });
  const undo = ({ change: id }: MemberChangeResponse) => change('undo-account-member', { change: id });
  /** The membership ends at a time after the sign-in. */
  const endNow = () =>
    test.database.query(
      sql`update public.account_members set ends_at = clock_timestamp() where user_id = ${mia.id}`,
    );
  const settle = (): Promise<number> => endMemberships(test.database);
  const rest = async (path: string, token = miaToken): Promise<unknown> => {
    const headers = { apikey: test.anonKey, Authorization: `Bearer ${token}` };
    return (await test.request(`/rest/v1/${path}`, { headers })).json();
  };
  const stored = async (): Promise<{ status: string; ends_at: string | null; active_members: number }> => {
    const [row] = await test.database.query<{ status: string; ends_at: Date | null; active_members: number }>(
      sql`select m.status, m.ends_at, a.active_members from public.account_members m
          join public.accounts a on a.id = m.account_id where m.user_id = ${mia.id} and a.id = ${account}`,
    );
    if (!row) throw new Error('No membership is stored');
    return { ...row, ends_at: row.ends_at?.toISOString() ?? null };
  };
  const expectRejection = async (
    run: () => Promise<[number, unknown]>,
    expected: readonly [number, string],
  ): Promise<void> => {
    const before = await test.fingerprint();
    const [status, body] = await run();
    expect([status, (body as { code: string }).code]).toEqual(expected);
    expect(await test.fingerprint()).toBe(before);
  };

  it('sets, changes and removes the end, records who did it, and undoes each', async () => {
    await add();
    const ends = [inHours(48), inHours(96), null];
    for (const end of ends) {
      const before = await stored();
      const changed = await set({ ends_at: end });
      expect(toIso(changed.member?.ends_at)).toBe(end);
      expect(changed).toMatchObject({ active_members: 1, member: { status: 'active' } });
      expect(await set({ ends_at: end })).toMatchObject({ change: null });
      await undo(changed);
      expect(await stored()).toEqual(before);
      await set({ ends_at: end });
    }
    const recorded = await test.database.query(
      sql`select distinct actor from private.audit_log
          where table_name = 'public.account_members' and after ->> 'user_id' = ${mia.id}`,
    );
    expect(recorded).toEqual([{ actor: ann.id }]);
    const [status] = await call('undo-change', { entry: (await set({ ends_at: ends[0] })).change }, annToken);
    expect([status, (await stored()).ends_at]).toEqual([200, null]);
  });

  it('adds a member until an end date', async () => {
    const end = inHours(5);
    const added = await add({ ends_at: end });
    expect(added.member).toMatchObject({ status: 'active' });
    const [, list] = await post('account-members', {});
    expect(toIso((list as AccountMembersResponse).members[0]?.ends_at)).toBe(end);
    await undo(added);
    expect((await add({ ends_at: null })).member?.ends_at).toBeNull();
  });

  it('rejects a past end, invalid input, users without the role, and a missing member', async () => {
    await add({ ends_at: inHours(5) });
    const plain = (await test.signIn(await test.createUser())).access_token;
    const body = { user_id: mia.id, ends_at: null };
    for (const [sent, token, status, code] of [
      [{ ...body, ends_at: inHours(-1) }, annToken, 400, 'membership_end_in_past'],
      [{ ...body, ends_at: 'Sunday' }, annToken, 400, 'validation_failed'],
      [{ user_id: mia.id }, annToken, 400, 'validation_failed'],
      [{ ...body, user_id: ann.id }, annToken, 404, 'no_member'],
      [body, miaToken, 403, 'not_platform_admin'],
      [body, plain, 403, 'not_platform_admin'],
      [body, test.anonKey, 401, 'not_authenticated'],
      [body, test.serviceRoleKey, 403, 'not_platform_admin'],
    ] as const)
      await expectRejection(() => post('set-account-member', sent, token), [status, code]);
    const other = await test.createUser();
    await expectRejection(
      () => post('add-account-member', { email: other.email, ends_at: inHours(-1) }),
      [400, 'membership_end_in_past'],
    );
    const patched = await test.request(`/rest/v1/account_members?user_id=eq.${mia.id}`, {
      method: 'PATCH',
      headers: {
        apikey: test.anonKey,
        Authorization: `Bearer ${miaToken}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ ends_at: null }),
    });
    expect(patched.status).toBe(403);
  });

  it('rejects a change of the own end date and the removal of the own membership with one', async () => {
    const own = { user_id: ann.id };
    await change('add-account-member', { email: ann.email });
    await expectRejection(
      () => post('set-account-member', { ...own, ends_at: inHours(1) }),
      [403, 'own_membership'],
    );
    await test.database.query(
      sql`update public.account_members set ends_at = now() + interval '1 hour' where user_id = ${ann.id}`,
    );
    for (const [name, body] of [
      ['set-account-member', { ...own, ends_at: null }],
      ['set-account-member', { ...own, status: 'active', ends_at: inHours(9) }],
      ['remove-account-member', own],
    ] as const)
      await expectRejection(() => post(name, body), [403, 'own_membership']);
    // Without a way to change the end, the own membership can be suspended.
    await change('set-account-member', { ...own, status: 'suspended' });
    const bo = (await test.signIn(await test.createUser({ isAdministrator: true }))).access_token;
    expect((await post('set-account-member', { ...own, ends_at: null }, bo))[0]).toBe(200);
    expect((await post('remove-account-member', own))[0]).toBe(200);
  });

  it('gives nothing from the second of the end, before the state is settled', async () => {
    await add({ ends_at: inHours(1) });
    for (const path of [
      'accounts?select=id',
      'account_contacts?select=account_id',
      'account_members?select=status',
    ])
      expect(await rest(path), path).toHaveLength(1);
    await endNow();
    expect(await stored()).toMatchObject({ status: 'active', active_members: 1 });
    for (const path of ['accounts', 'account_contacts', 'account_members?select=*,accounts(*)'])
      expect(await rest(path), path).toEqual([]);
    const [, list] = await post('account-members', {});
    expect((list as AccountMembersResponse).members).toMatchObject([{ status: 'ended' }]);
  });

  it('settles status, count and session, and records both once', async () => {
    await add();
    await endNow();
    expect(await settle()).toBe(1);
    expect(await stored()).toMatchObject({ status: 'ended', active_members: 0 });
    const auth = createAuthRequester(test);
    expect((await auth('GET', '/user', { bearer: miaToken })).status).toBe(403);
    const later = (await test.signIn(mia)).access_token;
    expect(await settle()).toBe(0);
    expect((await auth('GET', '/user', { bearer: later })).status).toBe(200);
    expect(await rest('accounts', later)).toEqual([]);
    const recorded = await test.database.query(
      sql`select actor, origin, request_id, table_name, after ->> 'status' as status from private.audit_log
          where request_id = 'end of the membership' and coalesce(after, before) ->> 'user_id' = ${mia.id} order by id`,
    );
    const entry = { actor: null, origin: 'service', request_id: 'end of the membership' };
    expect(recorded).toEqual([
      { ...entry, table_name: 'public.account_members', status: 'ended' },
      { ...entry, table_name: 'auth.sessions', status: null },
    ]);
  });

  it('is an action of the service in the activity of the account and of its members', async () => {
    await add();
    await endNow();
    await settle();
    for (const kind of [undefined, 'members']) {
      const [, response] = await call('list-activity', { record: account, kind }, annToken);
      const groups = (response as ActivityResponse).entries;
      const entries = groups.flatMap(({ further, ...head }) => [...further, head]);
      expect(entries).toContainEqual(
        expect.objectContaining({
          table_name: 'public.account_members',
          actor_id: null,
          origin: 'service',
          record_name: 'Vail Ski Patrol',
          changes: [{ field: 'status', before: 'active', after: 'ended' }],
          undoable: false,
        }),
      );
    }
  });

  it('keeps the session of a member of another account', async () => {
    await add();
    const elsewhere = await createAccount('Elsewhere');
    await call('add-account-member', { account_id: elsewhere, email: mia.email }, annToken);
    await test.database.query(
      sql`update public.account_members set ends_at = clock_timestamp() where account_id = ${account}`,
    );
    expect(await settle()).toBe(0);
    expect(await rest('accounts?select=name')).toEqual([{ name: 'Elsewhere' }]);
  });

  it('counts an ended membership as none, also when the other account is suspended', async () => {
    await add();
    await endNow();
    const elsewhere = await createAccount('Elsewhere');
    const [, added] = await call('add-account-member', { account_id: elsewhere, email: mia.email }, annToken);
    expect((added as MemberChangeResponse).member).toMatchObject({ other_accounts_total: 0 });
    const [row] = await test.database.query<{ updated_at: string }>(
      sql`select to_jsonb(updated_at) #>> '{}' as updated_at from public.accounts where id = ${elsewhere}`,
    );
    const body = { account_id: elsewhere, status: 'suspended', reason: 'Unpaid', end_sessions: true, ...row };
    expect(await call('set-account-status', body, annToken)).toMatchObject([200, { signed_out: 1 }]);
  });

  describe('after the end', () => {
    const active = { status: 'active' };
    beforeEach(async () => {
      await add();
      await endNow();
    });

    it.each(['not yet settled', 'settled', 'suspended before the end'])(
      'is reactivated with a later end date or none only: %s',
      async (state) => {
        if (state === 'settled') await settle();
        if (state.startsWith('suspended'))
          await test.database.query(
            sql`update public.account_members set status = 'suspended' where user_id = ${mia.id}`,
          );
        await expectRejection(
          () => post('set-account-member', { user_id: mia.id, status: 'active' }),
          [409, 'membership_ended'],
        );
        const end = inHours(3);
        expect(await set({ ...active, ends_at: end })).toMatchObject({
          active_members: 1,
          member: { status: 'active' },
        });
        expect(await stored()).toEqual({ status: 'active', ends_at: end, active_members: 1 });
        await endNow();
        await settle();
        await set({ ...active, ends_at: null });
        expect(await stored()).toEqual({ status: 'active', ends_at: null, active_members: 1 });
      },
    );

    it('is active again with a later end date, and ended again after an undo', async () => {
      await settle();
      const before = await stored();
      const extended = await set({ ends_at: inHours(3) });
      expect(extended).toMatchObject({ active_members: 1, member: { status: 'active' } });
      const token = (await test.signIn(mia)).access_token;
      expect(await rest('accounts', token)).toHaveLength(1);
      expect(await undo(extended)).toMatchObject({ active_members: 0, member: { status: 'ended' } });
      expect(await stored()).toEqual(before);
      expect(await rest('accounts', token)).toEqual([]);
    });

    it('stays suspended with a later end date alone', async () => {
      await test.database.query(
        sql`update public.account_members set status = 'suspended' where user_id = ${mia.id}`,
      );
      expect(await settle()).toBe(0);
      expect((await set({ ends_at: inHours(3) })).member?.status).toBe('suspended');
    });

    it('gives nothing after an undo of a suspension or a removal', async () => {
      for (const name of ['set-account-member', 'remove-account-member']) {
        const changed = await change(name, { user_id: mia.id, status: 'suspended' });
        expect((await undo(changed)).member?.status).toBe('ended');
        expect(await rest('accounts')).toEqual([]);
      }
      await settle();
      expect(await stored()).toMatchObject({ status: 'ended', active_members: 0 });
    });

    it('cannot be added again', async () => {
      await settle();
      await expectRejection(() => post('add-account-member', { email: mia.email }), [409, 'already_member']);
    });
  });

  it('two replicas settle at the same time as a change', { timeout: 60_000 }, async () => {
    await add();
    for (let round = 0; round < 5; round += 1) {
      await endNow();
      await Promise.all([settle(), settle(), set({ ends_at: inHours(2) }), settle()]);
      expect(await stored()).toMatchObject({ status: 'active', active_members: 1 });
    }
  });

  it(
    'gives rights exactly while it is active and before its end, after any changes',
    { timeout: 300_000 },
    async () => {
      const step = fc.constantFrom(
        'later',
        'past',
        'none',
        'suspend',
        'activate',
        'remove',
        'add',
        'undo',
        'settle',
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          await test.database.query(sql`delete from public.account_members where user_id = ${mia.id}`);
          let undoable: string | null = null;
          for (const name of steps) {
            const send = async (path: string, body: object): Promise<void> => {
              const [, response] = await post(path, { user_id: mia.id, email: mia.email, ...body });
              undoable = (response as MemberChangeResponse).change ?? null;
            };
            if (name === 'later') await send('set-account-member', { ends_at: inHours(1) });
            if (name === 'none') await send('set-account-member', { ends_at: null });
            if (name === 'suspend') await send('set-account-member', { status: 'suspended' });
            if (name === 'activate') await send('set-account-member', { status: 'active' });
            if (name === 'remove') await send('remove-account-member', {});
            if (name === 'add') await send('add-account-member', {});
            if (name === 'undo' && undoable !== null) await send('undo-account-member', { change: undoable });
            if (name === 'past') await endNow();
            if (name === 'settle') await settle();
            const [row] = await test.database.query<{ due: boolean; counted: number; count: number }>(
              sql`select a.active_members as counted, count(*) filter (where m.status = 'active')::int as count,
                  coalesce(bool_or(m.status = 'active' and (m.ends_at is null or m.ends_at > now())), false) as due
                from public.accounts a left join public.account_members m on m.account_id = a.id
                where a.id = ${account} group by a.id`,
            );
            expect(row?.counted, steps.join(', ')).toBe(row?.count);
            const token = (await test.signIn(mia)).access_token;
            expect(await rest('accounts?select=id', token), steps.join(', ')).toEqual(
              row?.due === true ? [{ id: account }] : [],
            );
            const [open] = await test.database.query(
              sql`select from public.account_members where status = 'active' and ends_at <= now()`,
            );
            if (name === 'settle') expect(open).toBeUndefined();
          }
        }),
        { numRuns: runs({ short: 15, long: 400 }), seed },
      );
    },
  );

  it('a command shows the end', async () => {
    const end = inHours(3);
    await add({ ends_at: end });
    expect((await runCommandIn(test, 'accounts', 'members', account)).lines).toEqual([
      expect.stringMatching(new RegExp(`^${mia.email} +active, until ${end}$`)),
    ]);
  });
});
