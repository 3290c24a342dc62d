/** The activity functions: list, people and export, on both databases. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ActivityEntry, ActivityPeopleResponse, ActivityResponse } from '@lanternrock/contract/activity';
import { consoleClientInfo } from '@lanternrock/contract/runtime';
import { sql } from '@lanternrock/postgres';
import { tryParsePublicKey } from '../src/audit/audit-key.ts';
import { readFileLines } from '../src/audit/file-lines.ts';
import { maxLineBytes, verifyExport } from '../src/audit/verify-export.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

const names = ['list-activity', 'list-activity-people', 'export-activity'];

eachEngine('activity functions', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.maintenance((tx) =>
      fixture.database.script(tx, 'truncate private.audit_log; truncate public.accounts cascade'),
    );
  });

  const list = async (body: object = {}): Promise<ActivityResponse> => {
    const response = await fixture.call(body, fixture.admin, {}, 'list-activity');
    expect(response.status).toBe(200);
    return (await response.json()) as ActivityResponse;
  };
  const exported = async (body: object): Promise<string> => {
    const response = await fixture.call(body, fixture.admin, {}, 'export-activity');
    expect(response.status).toBe(200);
    return response.text();
  };
  /** Runs a statement as a user, with the settings of a request. */
  const change = async (text: string, { as = fixture.admin, origin = 'console' } = {}): Promise<string> =>
    fixture.database.transaction(async (tx) => {
      await tx.query(sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: as })}, true),
        set_config('request.origin', ${origin}, true)`);
      const [row] = await tx.query<{ id: string }>({ text: `${text} returning id`, values: [] });
      return row?.id ?? '';
    });
  const createAccount = (name: string): Promise<string> =>
    change(`insert into public.accounts (name, slug, account_type) values ('${name}', 'a', 'enterprise')`);
  const summary = ({ entries }: ActivityResponse): string[] =>
    entries.map(({ action, table_name: table }) => `${action} ${table}`);

  it('returns who changed which fields, when and from where', async () => {
    const id = await createAccount('Alpine Rescue');
    await change(`update public.accounts set city = 'Bern', state = null where id = '${id}'`);
    await change(`update public.accounts set city = 'Basel' where id = '${id}'`, { origin: 'command line' });
    const [second, first] = (await list()).entries;
    expect(second).toMatchObject({
      actor_id: fixture.admin,
      actor_email: 'administrator@example.org',
      origin: 'command line',
      action: 'UPDATE',
      table_name: 'public.accounts',
      record_id: id,
      record_name: 'Alpine Rescue',
      changes: [{ field: 'city', before: 'Bern', after: 'Basel' }],
    });
    expect(second?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(first).toMatchObject({
      origin: 'console',
      changes: [{ field: 'city', before: null, after: 'Bern' }],
    });
    expect(JSON.stringify(await list())).not.toContain('updated_at');
  });

  it('returns the numbers of the database without rounding', async () => {
    await fixture.database.query(sql`insert into private.audit_log (table_name, action, before, after)
      values ('x', 'UPDATE', '{"amount": 1e400}', '{"amount": 12345678901234567890.5}')`);
    expect((await list()).entries[0]?.changes).toEqual([
      { field: 'amount', before: `1${'0'.repeat(400)}`, after: '12345678901234567890.5' },
    ]);
  });

  it('names members, roles, deleted users and clients without a user', async () => {
    const account = await createAccount('Alpine Rescue');
    const member = await fixture.createUser({ email: 'member@example.org' });
    await change(
      `insert into public.account_members (account_id, user_id) values ('${account}', '${member}')`,
    );
    await change(`insert into public.user_roles (user_id, role) values ('${member}', 'platform_admin')`, {
      as: member,
    });
    await fixture.database.query(sql`update public.accounts set city = 'Thun' where id = ${account}`);
    const [byService, role, membership] = (await list({})).entries;
    expect(byService).toMatchObject({ actor_id: null, actor_name: null, origin: 'service' });
    expect(role).toMatchObject({
      actor_name: 'member@example.org',
      record_id: member,
      record_name: 'member@example.org',
    });
    expect(membership).toMatchObject({
      record_id: account,
      record_name: 'Alpine Rescue',
      member_name: 'member@example.org',
      changes: [{ field: 'status', before: null, after: 'active' }],
    });
    await fixture.database.query(sql`delete from auth.users where id = ${member}`);
    const ofDeleted = (await list({ person: member })).entries;
    expect(ofDeleted).toMatchObject([{ actor_id: member, actor_name: null, actor_email: null }]);
  });

  it('filters by person, kind, record and time, and by all of them', async () => {
    const first = await createAccount('First');
    const second = await createAccount('Second');
    const colleague = await fixture.createUser({ email: 'colleague@example.org', administrator: true });
    await change(`update public.accounts set city = 'Bern' where id = '${first}'`, { as: colleague });
    await change(
      `insert into public.account_members (account_id, user_id) values ('${first}', '${colleague}')`,
    );
    expect(summary(await list({ record: first }))).toEqual([
      'INSERT public.account_members',
      'UPDATE public.accounts',
      'INSERT public.accounts',
    ]);
    expect(summary(await list({ person: colleague }))).toEqual(['UPDATE public.accounts']);
    expect(summary(await list({ person: 'service', kind: 'administrators' }))).toContain(
      'INSERT public.user_roles',
    );
    expect(summary(await list({ kind: 'members' }))).toEqual(['INSERT public.account_members']);
    expect(summary(await list({ kind: 'accounts', record: second }))).toEqual(['INSERT public.accounts']);
    const [{ at } = { at: '' }] = (await list({ kind: 'members' })).entries;
    expect(summary(await list({ kind: 'members', from: at }))).toHaveLength(1);
    expect(summary(await list({ kind: 'members', to: at }))).toHaveLength(0);
    const all = { person: colleague, kind: 'accounts', record: first, from: '2020-01-01T00:00:00Z' };
    expect(summary(await list(all))).toEqual(['UPDATE public.accounts']);
    expect(summary(await list({ ...all, to: '2020-01-02T00:00:00+01:00' }))).toEqual([]);
    expect(summary(await list({ record: 'no such record' }))).toEqual([]);
  });

  it('pages through entries of one time without gaps or repetitions', async () => {
    await fixture.database.query(sql`insert into private.audit_log (at, table_name, row_id, action, after)
      select '2026-11-24', case n % 2 when 0 then 'public.accounts' else 'private.account_suspensions' end,
        n::text, 'UPDATE', '{"name": "A"}' from generate_series(1, 25) n`);
    for (const filter of [{}, { kind: 'accounts' }]) {
      const seen: string[] = [];
      let page = await list({ ...filter, limit: 10 });
      seen.push(...page.entries.map(({ record_id: id }) => id ?? ''));
      while (page.more) {
        page = await list({ ...filter, limit: 10, before: page.entries.at(-1)?.id });
        seen.push(...page.entries.map(({ record_id: id }) => id ?? ''));
      }
      expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => String(25 - index)));
    }
  });

  it('exports exactly the filtered list, and records each export', async () => {
    const account = await createAccount('=1+1 Rescue');
    await fixture.database.query(sql`insert into private.audit_log (table_name, row_id, action, after)
      select 'public.accounts', ${account}, 'UPDATE', jsonb_build_object('name', 'Ä "' || n || E'"\nx', 'n', 1e400::numeric)
      from generate_series(1, 2100) n`);
    await fixture.database.query(
      sql`insert into private.audit_log (table_name, action) values ('other', 'UPDATE')`,
    );
    const filter = { record: account, kind: 'accounts' };
    const lines = (await exported({ ...filter, format: 'jsonl' })).split('\n');
    expect(lines.shift()).toBe('{"filtered":true,"format":"lanternrock-audit"}');
    expect([lines.length, lines.pop()]).toEqual([2102, '']);
    const stored = await fixture.database.query<{ id: string; after: string }>(
      sql`select id, after::text from private.audit_log where row_id = ${account} order by at desc, id desc`,
    );
    expect(lines.map((line) => (JSON.parse(line) as ActivityEntry).id)).toEqual(stored.map(({ id }) => id));
    expect(lines.every((line, index) => line.includes(stored[index]?.after ?? 'none'))).toBe(true);
    const csv = await exported({ ...filter, format: 'csv' });
    expect(csv.startsWith('id,time,person,')).toBe(true);
    expect(csv).toContain(`,'=1+1 Rescue,`);
    expect((await list({ kind: 'exports' })).entries).toMatchObject([
      { action: 'exported', actor_id: fixture.admin, origin: 'interface' },
      {
        action: 'exported',
        changes: expect.arrayContaining([{ field: 'format', before: null, after: 'jsonl' }]),
      },
    ]);
    expect(await exported({ kind: 'members', format: 'jsonl' })).toMatch(/^\{"filtered":true,.*\}\n$/);
  });

  it('exports a list without a filter in a form that can be verified', async () => {
    await createAccount('Alpine Rescue');
    await fixture.database.query(sql`insert into private.audit_log (table_name, action)
      select 'other', 'UPDATE' from generate_series(1, 1100)`);
    const file = path.join(fixture.config.DATA_DIR, 'activity.jsonl');
    fs.writeFileSync(file, await exported({ format: 'jsonl' }));
    const key = tryParsePublicKey(fixture.auditChain.publicKey);
    const result = await verifyExport(readFileLines(fs.createReadStream(file), maxLineBytes), {
      keys: key ? [key] : [],
      knownHead: null,
    });
    expect(result).toMatchObject({ problem: null, head: { unsealed: 0 } });
    const text = fs.readFileSync(file, 'utf8');
    expect(text.split('\n').length).toBeGreaterThan(1103);
    expect(text).toContain('"exported"');
  });

  it('records the client that a request names', async () => {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${fixture.admin}`,
      'X-Client-Info': consoleClientInfo,
    };
    await (await fixture.call({ format: 'csv' }, fixture.admin, { headers }, 'export-activity')).text();
    expect((await list()).entries).toMatchObject([{ action: 'exported', origin: 'console' }]);
  });

  it('lists who has entries', async () => {
    const account = await createAccount('First');
    const gone = await fixture.createUser({ email: 'gone@example.org' });
    await change(`update public.accounts set city = 'Bern' where id = '${account}'`, { as: gone });
    await fixture.database.query(sql`delete from auth.users where id = ${gone}`);
    const response = await fixture.call({}, fixture.admin, {}, 'list-activity-people');
    const { people } = (await response.json()) as ActivityPeopleResponse;
    expect(people).toEqual([
      { id: fixture.admin, name: 'administrator@example.org', email: 'administrator@example.org' },
      { id: gone, name: null, email: null },
      { id: 'service', name: null, email: null },
    ]);
  });

  it.each(names)('%s rejects other users and changes nothing', async (name) => {
    const member = await fixture.createUser();
    const before = await entryCount(fixture);
    const body = { format: 'csv' };
    expect((await fixture.call(body, member, {}, name)).status).toBe(403);
    expect((await fixture.call(body, undefined, {}, name)).status).toBe(401);
    expect(await entryCount(fixture)).toBe(before);
  });

  it.each([
    [{ kind: 'unknown' }],
    [{ before: '1; drop table' }],
    [{ before: '9'.repeat(19) }],
    [{ limit: 101 }],
    [{ limit: 0 }],
    [{ from: 'yesterday' }],
    [{ record: 'x'.repeat(101) }],
    [{ person: '' }],
    ['[]'],
  ])('rejects the filter %j', async (body) => {
    expect((await fixture.call(body, fixture.admin, {}, 'list-activity')).status).toBe(400);
  });

  it('rejects an unknown format of an export and records nothing', async () => {
    expect((await fixture.call({ format: 'xlsx' }, fixture.admin, {}, 'export-activity')).status).toBe(400);
    expect((await list()).entries).toEqual([]);
  });
});

const entryCount = async ({ database }: AdminFixture): Promise<string | undefined> =>
  (await database.query<{ count: string }>(sql`select count(*) from private.audit_log`))[0]?.count;
