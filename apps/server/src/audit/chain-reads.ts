/** Reads the sealed part of the audit log. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { chainStart, type ChainLink, type ChainPoint } from './chain-hash.ts';
import { auditEntrySql } from './entry.ts';

/** Maximum number of entries per query. Each contains the row before and after the change. */
export const entriesPerQuery = 200;

/** Returns the texts of entries by their IDs. The result has no key for an ID without an entry. */
export async function readEntryTexts(
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
  return row ? { ...toChainPoint(row), at: row.at.toISOString(), signature: row.signature } : null;
}

/** Returns the last sealed point: that of the last entry, of the last checkpoint, or the start. */
export async function readHead(tx: Transaction): Promise<ChainPoint> {
  const [row] = await tx.query<{ position: string; hash: string }>(
    sql`(select position, encode(hash, 'hex') as hash from private.audit_seals order by position desc limit 1)
        union all
        (select position, encode(hash, 'hex') from private.audit_checkpoints order by position desc limit 1)
        order by position desc limit 1`,
  );
  return row ? toChainPoint(row) : chainStart;
}

/** @param row with a `bigint` position, which the driver returns as text */
export const toChainPoint = ({
  position,
  hash,
}: {
  readonly position: string;
  readonly hash: string;
}): ChainPoint => ({ position: Number(position), hash });

/** Yields the links after one position up to another, in batches: no transaction stays open. */
export async function* readLinks(
  database: Pick<Database, 'query'>,
  afterPosition: number,
  lastPosition: number,
): AsyncGenerator<ChainLink> {
  for (let position = afterPosition; position < lastPosition;) {
    const seals = await database.query<{ position: string; entry_id: string; hash: string }>(
      sql`select position, entry_id, encode(hash, 'hex') as hash from private.audit_seals
          where position > ${position} and position <= ${lastPosition}
          order by position limit ${entriesPerQuery}`,
    );
    const texts = await readEntryTexts(
      database,
      seals.map((seal) => seal.entry_id),
    );
    for (const seal of seals) yield { ...toChainPoint(seal), entry: texts.get(seal.entry_id) ?? null };
    const end = seals.at(-1);
    if (!end) return;
    position = Number(end.position);
  }
}
