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

  it('is one entry for a list of invitees', async () => {
    const invite = (numbers: readonly number[], listId?: string): Promise<unknown> =>
      call('invite-list', {
        list_id: listId,
        invitations: numbers.map((number) => ({ email: `p${number}@example.org`, full_name: `P ${number}` })),
      });
    const listId = randomUUID();
    await invite([1, 2, 3], listId);
    await createAccount('Between');
    // The first ones are pending.
    await invite([2, 3, 4], listId);
    await invite([5, 6]);
    // The emails are entries of the service.
    const groups = await list({ person: fixture.admin });
    const summary = groups.map((group) => [group.action, group.count, values(group)['total_invited']]);
    expect(summary).toEqual([
      ['INSERT', 2, undefined],
      ['INSERT', 2, undefined],
      ['list_invited', 10, '4'],
    ]);
    const lists = await list({ kind: 'invitations', person: fixture.admin });
    expect(lists.map(({ action, count }) => `${action} ${count}`)).toEqual([
      'INSERT 1',
      'INSERT 1',
      'list_invited 6',
    ]);
    const before = await fixture.database.query(sql`select count(*) from private.audit_log`);
    // All are pending.
    await invite([2, 3], listId);
    expect(await fixture.database.query(sql`select count(*) from private.audit_log`)).toEqual(before);
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
