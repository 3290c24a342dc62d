import { type Database, sql } from '@lanternrock/postgres';

/**
 * Returns a checksum of every table, to check that nothing changed. It leaves out the audit log and the rate limits of the
 * Auth API, to which rejected requests may add rows.
 */
export async function fingerprint(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema', 'platform')
          and tablename not in ('audit_log_entries', 'rate_limits') order by 1`,
  );
  const sums: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.query<{ sum: string }>({
      text: `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${name} t`,
      values: [],
    });
    sums.push(`${name}=${row?.sum ?? ''}`);
  }
  return sums.join('\n');
}
