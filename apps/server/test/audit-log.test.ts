/** What the audit log records: the origin of a change, exact values, and no secrets. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { auditEntrySql, toExportLine } from '../src/audit/entry.ts';
import { recordAction } from '../src/audit-log.ts';

/** The columns that may appear in entries. Add a column only if it never contains a secret. */
const recordedColumns: Readonly<Record<string, string>> = {
  'private.account_suspensions': 'id reason suspended_at suspended_by',
  'private.invitations':
    'id email full_name user_id invited_by status invited_at expires_at accepted_at last_sent_at send_count role_ends_at note term_seconds term_until',
  'private.member_invitations':
    'id account_id email full_name user_id invited_by status invited_at expires_at accepted_at last_sent_at send_count note term_seconds term_until membership_ends_at',
  'private.second_factor_requirement': 'id due_at created_at set_by',
  'public.account_members': 'id account_id user_id status created_at ends_at',
  'public.accounts':
    'id name slug account_type address city state zip_code status active_members contact_text created_by created_at updated_at updated_by',
  'public.notification_settings': 'id sender_email sender_name created_at updated_at updated_by',
  'public.account_contacts': 'id account_id position name role phone email note',
  'public.profiles': 'id full_name phone created_at updated_at',
  'public.user_roles': 'id user_id role created_at ends_at granted_by',
};

eachEngine('audit log', (engine) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(engine);
  });
  afterAll(async () => test.dispose());

  it('records only columns that are known to contain no secret', async () => {
    const columns = await test.database.query<{ name: string; columns: string[] }>(
      sql`select n.nspname || '.' || c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
          from pg_trigger t join pg_class c on c.oid = t.tgrelid
            join pg_namespace n on n.oid = c.relnamespace
            join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          where t.tgfoid = 'private.record_change'::regproc and not t.tgisinternal and t.tgtype & 4 > 0
          group by n.nspname, c.relname`,
    );
    expect(columns.length).toBeGreaterThan(0);
    const unknown = columns.flatMap(({ name, columns: recorded }) =>
      recorded.filter((column) => !isKnown(name, column)).map((column) => `${name}.${column}`),
    );
    expect(unknown).toEqual([]);
  });

  it('exports an entry exactly as the database stores it', async () => {
    await test.database.query(sql`insert into private.audit_log (at, table_name, row_id, action, after)
      values ('2026-11-24 08:00:00.123456+02', 'x', 'exact', 'exported',
        '{"large": 1e400, "exact": 0.12345678901234567890, "text": "line\\nbreak 🏔 مرحبا", "zero": 1.0}')`);
    const line = await readLine(test, 'exact');
    expect(line).toMatch(
      /^\{"actor" : "Ann \\"A\\"", "id" : "\d+", "at" : "2026-11-24T06:00:00.123456Z", "actor_id" : null/,
    );
    expect(line.includes('\n')).toBe(false);
    const [restored] = await test.database.query<{ equal: boolean }>(
      sql`select after = (${line}::jsonb -> 'after') as equal from private.audit_log where row_id = 'exact'`,
    );
    expect(restored).toEqual({ equal: true });
    expect(line).toContain(`"large": 1${'0'.repeat(400)}`);
    expect(line).toContain('0.12345678901234567890');
  });

  it('stores of an updated row the changed columns and the columns that name it', async () => {
    const [created] = await test.database.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type, city) values ('Old', 'old', 'enterprise', 'Bern') returning id`,
    );
    const id = created?.id ?? '';
    await test.database.query(sql`update public.accounts set name = 'New', state = 'BE' where id = ${id}`);
    await test.database.query(sql`update public.accounts set city = 'Chur' where id = ${id}`);
    await test.database.query(sql`delete from public.accounts where id = ${id}`);
    const entries = await test.database.query<{
      action: string;
      before: object | null;
      after: object | null;
    }>(sql`select action, before, after from private.audit_log where row_id = ${id} order by id`);
    const row = { id, slug: 'old', account_type: 'enterprise', city: 'Bern' };
    expect(entries).toMatchObject([
      { action: 'INSERT', before: null, after: { ...row, name: 'Old', state: null } },
      { action: 'UPDATE' },
      { action: 'UPDATE' },
      { action: 'DELETE', before: { ...row, name: 'New', state: 'BE', city: 'Chur' }, after: null },
    ]);
    expect(entries.slice(1, 3)).toEqual([
      { action: 'UPDATE', before: { name: 'Old', state: null }, after: { name: 'New', state: 'BE' } },
      { action: 'UPDATE', before: { city: 'Bern' }, after: { name: 'New', city: 'Chur' } },
    ]);
  });

  it('records actions with actor, request and origin', async () => {
    await test.database.transaction(async (tx) => {
      await tx.query(sql`select set_config('request.id', 'r1', true), set_config('request.origin', 'console', true),
        set_config('request.jwt.claims', '{"sub": "00000000-0000-4000-8000-000000000001"}', true)`);
      await recordAction(tx, { action: 'exported', table: 'accounts', id: 'act', details: { rows: 3 } });
    });
    expect(JSON.parse(await readLine(test, 'act'))).toMatchObject({
      actor_id: '00000000-0000-4000-8000-000000000001',
      origin: 'console',
      request_id: 'r1',
      action: 'exported',
      table_name: 'accounts',
      before: null,
      after: { rows: 3 },
    });
  });
});

const isKnown = (table: string, column: string): boolean =>
  (recordedColumns[table] ?? '').split(' ').includes(column);

async function readLine(test: TestDatabase, rowId: string): Promise<string> {
  const [row] = await test.database.query<{ entry: string }>({
    text: `select ${auditEntrySql} as entry from private.audit_log l where row_id = $1`,
    values: [rowId],
  });
  return toExportLine(row?.entry ?? '', 'Ann "A"');
}
