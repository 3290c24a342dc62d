/** Which tables a backup holds and in which order they can be filled again; read from the catalog. */
import { type Transaction, sql } from '@lanternrock/postgres';

export interface BackupTable {
  /** Quoted, with its schema whatever the login looks for first: safe inside a statement. */
  readonly name: string;
  /** Quoted columns that can be written, comma-separated. */
  readonly columns: string;
  /** Column that counts by itself, quoted as a literal's content; null when there is none. */
  readonly identity: string | null;
}

/**
 * Counters of the limiter start anew, and keys belong to the instance: a backup holds none. The migrations table
 * belongs to the version, not to the data.
 */
export const excludedTables: readonly string[] = ['auth.rate_limits', 'auth.service_secrets'];

/** All tables, each after those it refers to. */
export async function listBackupTables(tx: Transaction): Promise<BackupTable[]> {
  const tables = await tx.query<BackupTable & { refers: string[] }>(
    sql`with named as (
          select c.oid, format('%I.%I', n.nspname, c.relname) as name
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
           where c.relkind = 'r' and n.nspname in ('auth', 'public', 'private')
        )
        select t.name,
               (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
                 where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
               (select a.attname from pg_attribute a where a.attrelid = t.oid and a.attidentity <> '') as identity,
               array(select distinct o.name from pg_constraint k join named o on o.oid = k.confrelid
                      where k.conrelid = t.oid and k.contype = 'f' and k.confrelid <> t.oid) as refers
          from named t
         where not (t.name = any (${excludedTables}))
         order by 1`,
  );
  const ordered: BackupTable[] = [];
  const placed = new Set<string>();
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name, refers }) =>
        !placed.has(name) && refers.every((other) => placed.has(other) || excludedTables.includes(other)),
    );
    if (!next) throw new Error('The tables refer to one another in a circle');
    placed.add(next.name);
    ordered.push({ name: next.name, columns: next.columns, identity: next.identity });
  }
  return ordered;
}
