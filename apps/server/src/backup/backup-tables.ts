/** Reads from the system catalogs which tables a backup contains, in an order in which they can be restored. */
import { type Transaction, sql } from '@lanternrock/postgres';

export interface BackupTable {
  /** Qualified and quoted: safe in a statement with any search path. */
  readonly name: string;
  /** Quoted names of the columns that are not generated, comma-separated. */
  readonly columns: string;
  /** Name of the identity column, not quoted; null if there is none. */
  readonly identity: string | null;
}

/** Rate limit counters are not worth a backup; keys, settings and the state of backups belong to the instance. */
const excludedTables: readonly string[] = [
  'auth.rate_limits',
  'auth.service_secrets',
  'private.service_settings',
  'private.backup_state',
];

/** Returns all tables, each after the tables that its foreign keys reference. */
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
    if (!next) throw new Error('The foreign keys of the tables form a cycle');
    placed.add(next.name);
    ordered.push({ name: next.name, columns: next.columns, identity: next.identity });
  }
  return ordered;
}
