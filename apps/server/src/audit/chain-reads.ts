/** Reads the sealed part of the audit log. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { chainStart, type ChainLink, type ChainPoint } from './chain-hash.ts';
import { auditEntrySql } from './entry.ts';

/** Entries per query. Each holds the row before and after the change. */
export const batchSize = 200;

/** Returns the text of entries by their IDs. An ID without an entry is missing in the result. */
export async function readEntries(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ id: string; entry: string }>({
    text: `select l.id, ${auditEntrySql} as entry from private.audit_log l where l.id = any($1::bigint[])`,
    values: [ids],
  });
  return new Map(rows.map(({ id, entry }) => [id, entry]));
}

/** A point up to which the retention has removed entries. */
export interface Checkpoint extends ChainPoint {
  readonly at: string;
  readonly signature: string;
}

export async function readCheckpoint(tx: Transaction): Promise<Checkpoint | null> {
  const [row] = await tx.query<{ position: string; hash: string; at: Date; signature: string }>(
    sql`select position, encode(hash, 'hex') as hash, at, signature from private.audit_checkpoints
        order by position desc limit 1`,
  );
  return row ? { ...row, position: Number(row.position), at: row.at.toISOString() } : null;
}

/** Returns the last sealed point: that of the last entry, of the last checkpoint, or the start. */
export async function readHead(tx: Transaction): Promise<ChainPoint> {
  const [row] = await tx.query<{ position: string; hash: string }>(
    sql`(select position, encode(hash, 'hex') as hash from private.audit_seals order by position desc limit 1)
        union all
        (select position, encode(hash, 'hex') from private.audit_checkpoints order by position desc limit 1)
        order by position desc limit 1`,
  );
  return row ? { ...row, position: Number(row.position) } : chainStart;
}

/** Yields the links after `after`, up to the position `last`, in batches: no transaction stays open. */
export async function* readLinks(
  database: Pick<Database, 'query'>,
  after: number,
  last: number,
): AsyncGenerator<ChainLink> {
  for (let position = after; position < last;) {
    const seals = await database.query<{ position: string; entry_id: string; hash: string }>(
      sql`select position, entry_id, encode(hash, 'hex') as hash from private.audit_seals
          where position > ${position} and position <= ${last} order by position limit ${batchSize}`,
    );
    const entries = await readEntries(
      database,
      seals.map((seal) => seal.entry_id),
    );
    for (const seal of seals)
      yield {
        position: Number(seal.position),
        hash: seal.hash,
        entry: entries.get(seal.entry_id) ?? null,
      };
    const end = seals.at(-1);
    if (!end) return;
    position = Number(end.position);
  }
}
