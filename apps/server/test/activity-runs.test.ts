/** Actions of several requests in the activity: one entry for an import of any number of requests, on both databases. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ActivityGroup, ActivityResponse } from '@lanternrock/contract/activity';
import type { HandoverResponse } from '@lanternrock/contract/handover';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

eachEngine('actions of several requests', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.maintenance((tx) =>
      fixture.database.script(
        tx,
        'truncate private.audit_log; truncate private.account_imports cascade; truncate public.accounts cascade',
      ),
    );
  });

  const call = async (name: string, body: object, as = fixture.admin): Promise<unknown> => {
    const response = await fixture.call(body, as, {}, name);
    const text = await response.text();
    expect({ name, status: response.status, text }).toMatchObject({ status: 200 });
    return JSON.parse(text);
  };
  const page = async (body: object = {}, as = fixture.admin): Promise<ActivityResponse> =>
    (await call('list-activity', body, as)) as ActivityResponse;
  const list = async (body: object = {}, as = fixture.admin): Promise<readonly ActivityGroup[]> =>
    (await page(body, as)).entries;
  const values = (group: ActivityGroup | undefined): Record<string, string | null> =>
    Object.fromEntries((group?.changes ?? []).map(({ field, after }) => [field, after]));
  const importRows = (
    first: number,
    count: number,
    importId: string | undefined,
    as = fixture.admin,
  ): Promise<unknown> =>
    call(
      'import-accounts',
      {
        dry_run: false,
        import_id: importId,
        rows: Array.from({ length: count }, (_, index) => ({
          line: first + index + 2,
          name: `Imported ${String(first + index).padStart(4, '0')}`,
          account_type: 'enterprise',
        })),
      },
      as,
    );
  const idOf = async (name: string): Promise<string> => {
    const [row] = await fixture.database.query<{ id: string }>(
      sql`select id from public.accounts where name = ${name}`,
    );
    return row?.id ?? '';
  };
  const createAccount = (name: string): Promise<unknown> =>
    fixture.database.query(
      sql`insert into public.accounts (name, slug, account_type) values (${name}, 'a', 'enterprise')`,
    );
  /** Every entry of a list with its pages, as a client reads it. `between` runs after the first page. */
  const walk = async (
    limit: number,
    filter: object = {},
    between: () => Promise<unknown> = async () => {},
  ): Promise<ActivityGroup[]> => {
    const groups: ActivityGroup[] = [];
    for (let before: string | undefined; ;) {
      const { entries, more } = await page({ ...filter, limit, before, newest: groups[0]?.id });
      if (before === undefined) await between();
      groups.push(...entries);
      before = entries.at(-1)?.id;
      if (!more) return groups;
    }
  };
  const openedNames = async (group: string, limit: number): Promise<(string | null)[]> => {
    const names: (string | null)[] = [];
    for (let before: string | undefined; ;) {
      const { entries, more } = await page({ group, limit, before });
      names.push(
        ...entries.filter(({ action }) => action !== 'imported').map(({ record_name }) => record_name),
      );
      before = entries.at(-1)?.id;
      if (!more) return names;
    }
  };

  it('is one entry with the total number, which opens in pages, with other actions between its requests', async () => {
    const importId = randomUUID();
    await createAccount('Before');
    await importRows(0, 40, importId);
    await createAccount('Between');
    await importRows(40, 30, importId);
    // The response of the request was lost, and it is sent again.
    await importRows(40, 30, importId);
    await importRows(70, 5, importId);
    await createAccount('After');
    const groups = await list();
    expect(groups.map(({ action, record_name: name }) => name ?? action)).toEqual([
      'After',
      'imported',
      'Between',
      'Before',
    ]);
    const [, imported] = groups;
    expect(imported?.count).toBe(78);
    expect(values(imported)).toMatchObject({ total_created: '75', total_changed: '0', created: '5' });
    expect(imported?.undoable_import).toEqual({ id: importId, accounts: 75 });
    expect(imported?.further.map(({ record_name: name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Imported 000${index}`),
    );
    expect(await openedNames(imported?.id ?? '', 20)).toEqual(
      Array.from({ length: 75 }, (_, index) => `Imported ${String(74 - index).padStart(4, '0')}`),
    );
    for (const limit of [1, 2, 3])
      expect((await walk(limit)).map(({ id }) => id)).toEqual(groups.map(({ id }) => id));
    const handover = (await call('handover', {})) as HandoverResponse;
    expect(handover.accounts.items.map(({ id }) => id)).toEqual(groups.map(({ id }) => id));
  });

  it('is one entry in the panel of an account, and with each filter', async () => {
    const importId = randomUUID();
    await importRows(0, 3, importId);
    await importRows(3, 3, importId);
    const [imported] = await list();
    for (const filter of [
      { kind: 'accounts' },
      { person: fixture.admin },
      { person: fixture.admin, kind: 'accounts' },
    ])
      expect(await list(filter)).toMatchObject([{ id: imported?.id, count: 8 }]);
    const record = await idOf('Imported 0001');
    expect(await list({ record })).toMatchObject([{ action: 'INSERT', count: 1, further: [] }]);
    expect(await list({ kind: 'members' })).toEqual([]);
    // A period that ends or starts between the requests.
    const first = imported?.further[0];
    const between = new Date(Date.parse(imported?.at ?? '')).toISOString();
    expect((await list({ to: between })).map(({ further }) => further[0]?.id)).toEqual([first?.id]);
    expect(await list({ from: between })).toMatchObject([{ id: imported?.id }]);
  });

  it('lists each entry once while an import runs', async () => {
    const importId = randomUUID();
    await createAccount('Oldest');
    await importRows(0, 2, importId);
    for (const name of ['A', 'B', 'C']) await createAccount(name);
    const groups = await walk(2, {}, () => importRows(2, 2, importId));
    expect(groups.map(({ action, record_name: name }) => name ?? action)).toEqual([
      'C',
      'B',
      'A',
      'imported',
      'Oldest',
    ]);
    expect(groups[3]?.count).toBe(3);
    expect((await list())[0]).toMatchObject({ action: 'imported', count: 6 });
  });

  it('is not merged with another user, another kind, or a later day', async () => {
    const importId = randomUUID();
    const other = await fixture.createUser({ administrator: true });
    const contacts = (name: string, as: string): Promise<unknown> =>
      call(
        'import-contacts',
        {
          dry_run: false,
          import_id: importId,
          rows: [{ line: 2, account: 'Imported 0000', name }],
        },
        as,
      );
    await importRows(0, 1, importId);
    await contacts('Ann', fixture.admin);
    await contacts('Bo', other);
    await contacts('Cy', fixture.admin);
    await contacts('Di', other);
    await call('undo-import', { import_id: importId });
    // Another user cannot add to the import, or read as its author what can be undone.
    const rows = [{ line: 2, name: 'Foreign', account_type: 'enterprise' }];
    const foreign = { dry_run: false, import_id: importId, rows };
    expect((await fixture.call(foreign, other, {}, 'import-accounts')).status).toBe(404);
    const summary = (groups: readonly ActivityGroup[]) =>
      groups.map((group) => [
        group.action,
        group.actor_id,
        values(group)['list'],
        values(group)['total_created'],
      ]);
    expect(summary(await list({ kind: 'accounts' }))).toEqual([
      ['imported', other, 'contacts', '2'],
      ['imported', fixture.admin, 'contacts', '2'],
      ['imported', fixture.admin, 'accounts', '1'],
    ]);
    expect((await list({ kind: 'accounts' }, other)).map(({ undoable_import: id }) => id)).toEqual([
      null,
      null,
      null,
    ]);
    // The account has contacts, so both lists of contacts are in its panel, and the undo keeps it.
    expect(await list({ record: await idOf('Imported 0000') })).toMatchObject([
      { count: 2, actor_id: other },
      { count: 2, actor_id: fixture.admin },
      { count: 1, action: 'INSERT' },
    ]);
    await fixture.database.query(sql`insert into private.audit_log (at, actor, run_id, table_name, action)
      select at - interval '13 hours', actor, run_id, 'imports', 'opened' from private.audit_log
        where actor = ${fixture.admin} and action = 'imported' and after ->> 'list' = 'contacts'`);
    await contacts('Ed', fixture.admin);
    expect(summary(await list({ person: fixture.admin }))).toEqual([
      ['imported', fixture.admin, 'contacts', '1'],
      ['imported', fixture.admin, 'contacts', '2'],
      ['imported', fixture.admin, 'accounts', '1'],
    ]);
  });

  it('is one entry without an ID for each request', async () => {
    await importRows(0, 2, undefined);
    await importRows(2, 2, undefined);
    expect(await list()).toMatchObject([{ count: 3, undoable_import: null }, { count: 3 }]);
    expect(values((await list())[0])).toEqual({ changed: '0', created: '2', list: 'accounts' });
  });

  const invite = (numbers: readonly number[], listId?: string): Promise<unknown> =>
    call('invite-list', {
      list_id: listId,
      invitations: numbers.map((number) => ({ email: `p${number}@example.org`, full_name: `P ${number}` })),
    });

  it('is one entry for a list of invitees with its emails, which opens to its parts', async () => {
    const listId = randomUUID();
    await invite([1, 2, 3], listId);
    await createAccount('Between');
    // The first ones are pending.
    await invite([2, 3, 4], listId);
    await invite([5]);
    const groups = await list();
    expect(groups.map(({ action, table_name: table, listed }) => `${action} ${table} ${listed}`)).toEqual([
      'UPDATE private.invitations null',
      'INSERT private.invitations null',
      'INSERT public.accounts null',
      'list_invited private.invitations 4',
    ]);
    const act = groups.at(-1);
    // Of each: profile, invitation, email.
    expect(act).toMatchObject({ count: 13, actor_id: fixture.admin, further: { length: 10 } });
    expect(await list({ kind: 'invitations', person: fixture.admin })).toMatchObject([
      { action: 'INSERT', count: 1 },
      { action: 'list_invited', listed: 4, count: 5 },
    ]);
    const opened = await page({ group: act?.id, limit: 12 });
    expect([opened.entries.length, opened.more]).toEqual([12, false]);
    const [first, rest] = [
      await page({ group: act?.id, limit: 5 }),
      await page({ group: act?.id, limit: 100, before: opened.entries[4]?.id }),
    ];
    expect([...first.entries, ...rest.entries].map(({ id }) => id)).toEqual(
      opened.entries.map(({ id }) => id),
    );
    // A person of the list, and every entry in an export.
    const [row] = await fixture.database.query<{ id: string }>(
      sql`select id from private.invitations where email = 'p3@example.org'`,
    );
    expect(
      (await list({ record: row?.id })).map(({ action, record_name: name }) => `${action} ${name}`),
    ).toEqual(['UPDATE P 3', 'INSERT P 3']);
    const lines = async (body: object): Promise<number> => {
      const response = await fixture.call({ format: 'csv', ...body }, fixture.admin, {}, 'export-activity');
      return (await response.text()).trim().split('\r\n').length - 1;
    };
    expect(await lines({ kind: 'invitations' })).toBe(11);
    expect(await lines({ kind: 'invitations', person: fixture.admin })).toBe(6);
    // With the entries of the first two exports.
    expect(await lines({ person: fixture.admin })).toBe(13);
    const handover = (await call('handover', {})) as HandoverResponse;
    expect(
      handover.invitations.items.filter(({ event }) => event === 'captured' || event === 'sent'),
    ).toHaveLength(5);
  });

  it('adds no entry for a list without an effect, and keeps the lists of two administrators apart', async () => {
    const listId = randomUUID();
    await invite([1], listId);
    const count = sql`select count(*) from private.audit_log`;
    const before = await fixture.database.query(count);
    await invite([1], listId);
    expect(await fixture.database.query(count)).toEqual(before);
    const other = await fixture.createUser({ administrator: true });
    const rows = [{ email: 'p9@example.org', full_name: 'P 9' }];
    await call('invite-list', { list_id: listId, invitations: rows }, other);
    const lists = (await list()).filter(({ action }) => action === 'list_invited');
    expect(lists.map(({ listed, actor_id: actor }) => [listed, actor])).toEqual([
      [1, other],
      [1, fixture.admin],
    ]);
    expect(
      (await fixture.call({ list_id: 'x', invitations: rows }, fixture.admin, {}, 'invite-list')).status,
    ).toBe(400);
  });

  it('is one entry for selected invitations that are sent again, and for revoked ones', async () => {
    await invite([1, 2, 3]);
    await fixture.database.maintenance((tx) => fixture.database.script(tx, 'truncate private.audit_log'));
    const resent = randomUUID();
    for (const number of [1, 2])
      await call('send-user-invitation', {
        email: `p${number}@example.org`,
        full_name: `P ${number}`,
        list_id: resent,
      });
    const revoked = randomUUID();
    for (const number of [1, 2, 3])
      await call('revoke-user-invitation', { email: `p${number}@example.org`, list_id: revoked });
    expect((await list()).map(({ action, listed, count }) => [action, listed, count])).toEqual([
      ['list_revoked', 3, 4],
      ['list_resent', 2, 5],
    ]);
    const state = await fixture.database.query(sql`select count(*) from private.audit_log`);
    const again = await fixture.call(
      { email: 'p1@example.org', list_id: randomUUID() },
      fixture.admin,
      {},
      'revoke-user-invitation',
    );
    expect(again.status).toBe(404);
    expect(await fixture.database.query(sql`select count(*) from private.audit_log`)).toEqual(state);
    const handover = (await call('handover', {})) as HandoverResponse;
    expect(handover.invitations.items.filter(({ event }) => event === 'revoked')).toHaveLength(3);
  });

  it('is part of each period in which it has parts', async () => {
    await invite([1, 2], randomUUID());
    await fixture.database.query(sql`alter table private.audit_log disable row level security`);
    await fixture.database.query(sql`update private.audit_log set at = at - interval '3 hours' where id <= (
      select id from private.audit_log where table_name = 'private.invitations' and action = 'INSERT' order by id limit 1)`);
    await fixture.database.query(sql`alter table private.audit_log enable row level security`);
    const from = new Date(Date.now() - 3_600_000).toISOString();
    await createAccount('Later');
    const actions = async (filter: object): Promise<string[]> =>
      (await list(filter)).map(({ action }) => action);
    expect(await actions({ from })).toEqual(['INSERT', 'list_invited']);
    expect(await actions({ from, person: fixture.admin, kind: 'invitations' })).toEqual(['list_invited']);
    expect(await actions({ from, kind: 'accounts' })).toEqual(['INSERT']);
    expect(await actions({ to: from })).toEqual(['list_invited']);
    expect(await actions({ from: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
    const walked = await walk(1, { from });
    expect(walked.map(({ action }) => action)).toEqual(['INSERT', 'list_invited']);
  });

  it('is undone as a whole, which is one entry', async () => {
    const importId = randomUUID();
    await importRows(0, 500, importId);
    await importRows(500, 10, importId);
    const [imported] = await list();
    expect(imported?.undoable_import).toEqual({ id: importId, accounts: 510 });
    const { next } = (await call('undo-import', { import_id: importId })) as { next: string | null };
    await createAccount('Between');
    await call('undo-import', { import_id: importId, after: next });
    const groups = await list();
    expect(groups.map(({ action, record_name: name }) => name ?? action)).toEqual([
      'import_undone',
      'Between',
      'imported',
    ]);
    expect(values(groups[0])).toMatchObject({ deleted: '10', total_deleted: '510' });
    expect(groups[2]?.undoable_import).toBeNull();
  });
});
