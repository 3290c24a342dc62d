/**
 * The query plans of what grows with an instance: each reads a number of pages that does not depend on the number of accounts
 * and of audit log entries. `npm run bench -- large-instance` measures the times.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { activityKinds } from '@lanternrock/contract/activity';
import { type Transaction, sql } from '@lanternrock/postgres';
import { readAccountBatches } from '../src/accounts/account-batches.ts';
import { startImportUndo } from '../src/accounts/imports.ts';
import { findSimilarAccounts } from '../src/accounts/similar-accounts.ts';
import { readActivityLines } from '../src/activity/activity.ts';
import { readActivityGroups, readGroupEntries } from '../src/activity/activity-groups.ts';
import { startListAction } from '../src/audit-run.ts';
import { readHandover } from '../src/handover/handover.ts';
import { eachEngine, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';

const accounts = 6000;
const ann = '00000000-0000-4000-8000-00000000000a';
const ben = '00000000-0000-4000-8000-00000000000b';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Adds accounts of one kind, the log of their import by Ann, and a few older entries of other kinds by both, of which the planner
 * has no statistics.
 */
const fill = `
  alter table public.accounts disable trigger user;
  insert into public.accounts (name, slug, account_type, created_at)
    select initcap(translate(substr(md5(n::text), 1, 8), '0123456789', 'ghijklmnop')) || ' Mountain Rescue Team', 'team-' || n,
        'organization', timestamptz '2026-01-01' + n * interval '1 second'
      from generate_series(1, ${accounts}) n;
  insert into private.audit_log (at, actor, table_name, row_id, action, after)
    select a.created_at, '${ann}', 'public.accounts', a.id::text, 'INSERT', to_jsonb(a) from public.accounts a order by created_at;
  analyze public.accounts;
  analyze private.audit_log;
  insert into private.audit_log (at, actor, table_name, row_id, action, after)
    select timestamptz '2025-01-01' + n * interval '1 hour', case n % 2 when 0 then '${ann}' else '${ben}' end::uuid,
        tables[1 + n % 12], n::text, 'INSERT', '{"status": "active"}'
      from generate_series(1, 60) n, (select array['private.account_suspensions', 'public.account_members', 'public.user_roles',
        'public.profiles', 'auth.users', 'auth.sessions', 'auth.mfa_factors', 'private.invitations',
        'public.notification_settings', 'private.second_factor_requirement', 'exports', 'operations'] as tables) t;
`;

eachEngine('a large instance', (engine) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(engine);
    await test.database.maintenance((tx) => test.database.script(tx, fill));
  });
  afterAll(async () => test.dispose());

  let nodes: PlanNode[] = [];
  let pages = 0;
  beforeEach(() => {
    nodes = [];
    pages = 0;
  });

  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  const indexes = (): string[] =>
    nodes.flatMap((node) => (node['Actual Loops'] > 0 && node['Index Name']) || []);

  /** Runs the work with the plan of each of its statements in `nodes`, and the number of pages that they read in `pages`. */
  const explained = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    test.database.transaction((tx) =>
      work({
        query: async <Row extends object>({ text, values }: { text: string; values: readonly unknown[] }) => {
          const [row] = await tx.query<{ 'QUERY PLAN': unknown }>({
            text: `explain (analyze, buffers, timing off, format json) ${text}`,
            values,
          });
          const json = row?.['QUERY PLAN'];
          const [{ Plan: plan }] = (typeof json === 'string' ? JSON.parse(json) : json) as [
            { Plan: PlanNode },
          ];
          nodes.push(...flatten(plan));
          pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
          return tx.query<Row>({ text, values });
        },
      }),
    );

  it.each(activityKinds)('lists the activity of %s by the index of their tables', async (kind) => {
    const rows = await explained((tx) => readActivityGroups(tx, { kind, limit: 10 }));
    expect(rows).toHaveLength(
      kind === 'administrators' || kind === 'accounts' || kind === 'settings' ? 10 : 5,
    );
    expect(indexes()).toContain('audit_log_table_idx');
    expect(indexes()).not.toContain('audit_log_newest_idx');
    expect(pages).toBeLessThan(500);
  });

  it.each([
    { person: ann, kind: 'settings' },
    { person: ann, kind: 'accounts' },
    { person: ben, kind: 'accounts' },
    { person: ben },
    { person: ann },
    { person: ann, to: '2025-12-31T00:00:00Z' },
  ] as const)('lists the activity of a person by one index: %o', async (filter) => {
    const rows = await explained((tx) => readActivityGroups(tx, { ...filter, limit: 10 }));
    // No change of an account is by Ben.
    expect(rows.length > 0).toBe(filter.person === ann || !('kind' in filter));
    expect(indexes()).toContain('audit_log_person_idx');
    expect(indexes()).not.toContain('audit_log_newest_idx');
    // Each action is looked for in each table of the person.
    expect(pages).toBeLessThan(1000);
  });

  it('lists the activity of a record and of a period by their indexes', async () => {
    expect(
      await explained((tx) => readActivityGroups(tx, { record: '7', kind: 'members', limit: 10 })),
    ).toHaveLength(0);
    expect(
      await explained((tx) => readActivityGroups(tx, { record: '7', person: ben, limit: 10 })),
    ).toHaveLength(1);
    expect(indexes()).not.toContain('audit_log_newest_idx');
    const [last] = await explained((tx) =>
      readActivityGroups(tx, { from: '2025-01-01T00:00:00Z', to: '2025-12-31T00:00:00Z', limit: 1 }),
    );
    expect(last?.at).toContain('2025-01-03');
    expect(
      await explained((tx) =>
        readActivityGroups(tx, { kind: 'settings', before: last?.id ?? '', limit: 100 }),
      ),
    ).toHaveLength(10);
    expect(pages).toBeLessThan(500);
  });

  it('reads a handover after an import', async () => {
    const period = { since: new Date('2025-01-01'), until: new Date('2026-02-01') };
    const { accounts: changed, settings } = await explained((tx) => readHandover(tx, period));
    expect(changed.more).toBe(true);
    expect(settings.items).toHaveLength(10);
    expect(indexes()).not.toContain('audit_log_newest_idx');
    // Each action is found by the indexes of its tables, and names are read for each of the shown entries.
    expect(pages).toBeLessThan(6000);
  });

  it('reads actions of thousands of entries without reading all of them', async () => {
    await test.database
      .query(sql`insert into private.audit_log (at, actor, request_id, table_name, row_id, action, after)
      select timestamptz '2027-01-01' + b * interval '1 minute', ${ann}::uuid, 'import ' || b, 'public.accounts',
          b || ' ' || n, 'INSERT', '{"name": "Imported"}'
        from generate_series(1, 3) b, generate_series(1, 4000) n`);
    const filters = [{}, { kind: 'accounts' }, { person: ann }, { person: ann, kind: 'accounts' }] as const;
    for (const filter of filters) {
      pages = 0;
      const groups = await explained((tx) => readActivityGroups(tx, { ...filter, limit: 5 }));
      expect(groups.map(({ count, further }) => `${count} ${further.length}`)).toEqual([
        '1000 10',
        '1000 10',
        '1000 10',
        '1 0',
        '1 0',
      ]);
      expect(pages).toBeLessThan(2500);
      const next = await explained((tx) =>
        readActivityGroups(tx, { ...filter, limit: 1, before: groups[1]?.id }),
      );
      expect(next[0]?.id).toBe(groups[2]?.id);
    }
    // Of each table, fewer entries are left than a page has.
    pages = 0;
    await explained((tx) => readActivityGroups(tx, { person: ann, limit: 40, to: '2026-01-01T00:00:00Z' }));
    await explained((tx) => readActivityLines(tx, { person: ann, limit: 40, to: '2026-01-01T00:00:00Z' }));
    expect(pages).toBeLessThan(2500);
    const [group] = await explained((tx) => readActivityGroups(tx, { record: '1 7', limit: 5 }));
    expect(group).toMatchObject({ count: 1, further: [] });
    pages = 0;
    const entries = await explained((tx) => readGroupEntries(tx, { group: group?.id ?? '', limit: 100 }));
    expect(entries).toHaveLength(100);
    expect(pages).toBeLessThan(2500);
    await test.database.maintenance((tx) =>
      test.database.script(tx, `delete from private.audit_log where at > '2026-12-31'`),
    );
  });

  it('reads an action of many requests without reading all of them', async () => {
    const run = '00000000-0000-4000-8000-0000000000aa';
    // Between its requests, another user adds a contact to the same account.
    await test.database
      .query(sql`insert into private.audit_log (at, actor, request_id, run_id, table_name, row_id, action, after)
      select timestamptz '2028-01-01' + b * interval '1 minute', ${ann}::uuid, 'request ' || b, ${run}::uuid,
          case n when 250 then 'imports' else 'public.accounts' end, b || ' ' || n, 'INSERT', '{"name": "Imported"}'::jsonb
        from generate_series(1, 60) b, generate_series(1, 250) n
      union all
      select timestamptz '2028-01-01' + b * interval '61 seconds', ${ben}::uuid, 'other ' || b, null, 'public.account_contacts',
          b::text, 'INSERT', '{"account_id": "7 7"}'::jsonb from generate_series(1, 60) b`);
    await test.database.maintenance((tx) => test.database.script(tx, 'analyze private.audit_log'));
    const lists = [
      { limit: 61 },
      { kind: 'accounts', limit: 61 },
      // The second action is an earlier one.
      { person: ann, limit: 2 },
      { person: ann, kind: 'accounts', limit: 2 },
    ] as const;
    for (const list of lists) {
      pages = 0;
      const read = await explained((tx) => readActivityGroups(tx, list));
      const groups = read.filter(({ at }) => at.startsWith('2028'));
      expect(groups.filter(({ count }) => count > 1)).toMatchObject([
        { count: 1000, further: Array.from({ length: 10 }, () => ({ record_name: 'Imported' })) },
      ]);
      expect(pages).toBeLessThan(10_000);
    }
    pages = 0;
    const record = { record: '7 7' };
    expect(await explained((tx) => readActivityGroups(tx, { ...record, limit: 100 }))).toHaveLength(61);
    const [imported] = await explained((tx) => readActivityGroups(tx, { ...record, person: ann, limit: 1 }));
    const group = imported?.id ?? '';
    expect(await explained((tx) => readGroupEntries(tx, { ...record, group, limit: 100 }))).toMatchObject([
      { id: group },
    ]);
    expect(pages).toBeLessThan(4000);
    pages = 0;
    const entries = await explained((tx) => readGroupEntries(tx, { group, before: group, limit: 100 }));
    expect(entries).toHaveLength(100);
    expect(pages).toBeLessThan(2500);
    // A list of invitees: many transactions of few entries.
    const [act] = await test.database.query<{ id: string }>(
      sql`insert into private.audit_log (at, actor, request_id, table_name, row_id, action, after)
          values ('2028-02-01', ${ann}, 'call', 'private.invitations', 'list', 'list_invited', '{}') returning id::text`,
    );
    await test.database
      .query(sql`insert into private.audit_log (at, actor, request_id, part_of, table_name, row_id, action, after)
      select timestamptz '2028-02-01' + b * interval '1 second', ${ann}::uuid, 'call ' || b / 20, ${act?.id}::bigint,
          case n when 2 then 'private.invitations' else 'public.profiles' end, b || ' ' || n, 'INSERT', '{}'
        from generate_series(1, 3000) b, generate_series(1, 2) n`);
    await test.database.maintenance((tx) => test.database.script(tx, 'analyze private.audit_log'));
    const since = { from: '2028-02-01T00:30:00Z' };
    for (const filter of [
      {},
      { kind: 'invitations' },
      { person: ann },
      since,
      { ...since, person: ann },
    ] as const) {
      pages = 0;
      const [listed] = await explained((tx) => readActivityGroups(tx, { ...filter, limit: 5 }));
      expect(listed).toMatchObject({ id: act?.id, listed: 1000, count: 1000 });
      expect(pages).toBeLessThan(6000);
    }
    await test.database.maintenance((tx) =>
      test.database.script(
        tx,
        `delete from private.audit_log where at > '2026-12-31'; analyze private.audit_log`,
      ),
    );
  });

  it.each(['Mountain Rescue Team', 'Ghijklmn Mountain Rescue Team', 'Zermatt MRT'])(
    'compares a name with few accounts: %s',
    async (name) => {
      // The first call of a connection also reads the catalog.
      await explained((tx) => findSimilarAccounts(tx, name));
      pages = 0;
      await explained((tx) => findSimilarAccounts(tx, name));
      expect(pages).toBeLessThan(1000);
    },
  );

  it('finds an account by its name and by a similar one', async () => {
    const [account] = await test.database.query<{ id: string; name: string }>(
      sql`select id, name from public.accounts order by created_at offset 3000 limit 1`,
    );
    const name = account?.name ?? '';
    for (const typed of [
      name,
      name.toUpperCase(),
      name.replace('Mountain Rescue Team', 'MRT'),
      name.slice(1),
    ]) {
      const [found] = await explained((tx) => findSimilarAccounts(tx, typed));
      expect(found?.id, typed).toBe(account?.id);
    }

    expect(pages).toBeLessThan(4000);
  });

  it.each(['created', 'name', 'type', 'status', 'updated'] as const)(
    'exports a search, sorted by %s, in statements that read a part of the table',
    async (sort) => {
      const list = { search: 'no such name', sort, direction: 'desc' } as const;
      for await (const batch of readAccountBatches(list, explained)) expect(batch).toEqual([]);
      // The pattern is applied to the accounts that the statement reads, not until it has found enough matches.
      expect(nodes.some((node) => node['Node Type'] === 'CTE Scan' && node.Filter === 'matches')).toBe(true);
      expect(nodes.filter((node) => node.Filter?.includes('~~'))).toEqual([]);
    },
  );

  it('undoes an import without reading the entries since', async () => {
    const importId = '00000000-0000-4000-8000-0000000000bb';
    const [account] = await test.database.query<{ id: string }>(
      sql`select id from public.accounts order by created_at limit 1`,
    );
    await test.database.query(sql`insert into private.account_imports (id, created_by, created_at)
      values (${importId}, null, now() - interval '2 days')`);
    await test.database.query(sql`insert into private.imported_accounts (account_id, import_id, updated_at)
      select id, ${importId}, updated_at from public.accounts where id = ${account?.id}`);
    await test.database.query(sql`insert into private.audit_log (at, actor, table_name, action, after)
      values (now() - interval '2 days', ${ann}, 'imports', 'imported', ${JSON.stringify({ import_id: importId })}::jsonb)`);
    await test.database
      .query(sql`insert into private.audit_log (at, actor, table_name, row_id, action, before, after)
      select now() - interval '1 day' + n * interval '1 second', ${ann}::uuid, 'public.accounts', n::text, 'UPDATE', '{}', '{}'
        from generate_series(1, 30000) n`);
    await test.database.maintenance((tx) => test.database.script(tx, 'analyze private.audit_log'));
    await explained(async (tx) => {
      await startImportUndo(tx, importId);
      const [started] = await tx.query<{ undoes: string }>(
        sql`select current_setting('request.undoes', true) as undoes`,
      );
      expect(started?.undoes).not.toBe('');
    });
    expect(indexes()).toContain('audit_log_table_idx');
    expect(pages).toBeLessThan(100);
    await test.database.maintenance((tx) =>
      test.database.script(
        tx,
        `delete from private.audit_log where at > now() - interval '3 days';
        truncate private.account_imports cascade; analyze private.audit_log`,
      ),
    );
  });

  it('continues an action on a list without reading its parts', async () => {
    const action = { kind: 'list_revoked', id: '00000000-0000-4000-8000-0000000000cc' } as const;
    const part = sql`select current_setting('request.part_of') as id`;
    const [list] = await test.database.transaction(async (tx) => {
      await startListAction(tx, action);
      return tx.query<{ id: string }>(part);
    });
    await test.database
      .query(sql`insert into private.audit_log (at, actor, part_of, table_name, row_id, action, before, after)
      select now() - n * interval '1 second', ${ann}::uuid, ${list?.id}::bigint + n % 2, 'private.invitations', n::text, 'UPDATE',
          '{}', '{}' from generate_series(1, 20000) n`);
    await test.database.maintenance((tx) => test.database.script(tx, 'analyze private.audit_log'));
    await explained(async (tx) => {
      await startListAction(tx, action);
      expect(await tx.query(part)).toEqual([list]);
    });
    expect(indexes()).toContain('audit_log_parts_idx');
    expect(pages).toBeLessThan(100);
  });
});
