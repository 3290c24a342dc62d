/** The retention of the audit log: cuts the chain at a signed checkpoint, so that the rest still verifies. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { AuditKey } from './audit-key.ts';
import type { ChainPoint } from './chain-hash.ts';
import { chainLock } from './chain-lock.ts';
import { readCheckpoint, toChainPoint } from './chain-reads.ts';

/** The signed statement of a checkpoint. */
export const checkpointStatement = ({ position, hash }: ChainPoint, at: string): object => ({
  format: 'lanternrock-audit-checkpoint',
  position,
  hash,
  at,
});

/** Entries of one transaction: a single statement for all can take longer than its limit, and would then never succeed. */
const batchEntries = 5000;

/**
 * Deletes sealed entries that are older than `before` and have no younger entry before them. Entries without a seal stay.
 *
 * @returns the number of deleted entries
 */
export async function cutChain(
  database: Database,
  key: AuditKey,
  { before, now }: { readonly before: Date; readonly now: Date },
): Promise<number> {
  const last = await database.transaction(async (tx) => {
    // Another replica seals or cuts now; the next run cuts.
    const [lock] = await tx.query<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${chainLock}, 0)) as locked`,
    );
    if (!lock?.locked) return null;
    const earlier = (await readCheckpoint(tx))?.position ?? 0;
    const end = await findEnd(tx, { earlier, before });
    if (!end) return earlier;
    const at = now.toISOString();
    await tx.query(
      sql`insert into private.audit_checkpoints (position, hash, at, signature)
          values (${end.position}, decode(${end.hash}, 'hex'), ${at}, ${key.sign(checkpointStatement(end, at))})`,
    );
    return end.position;
  });
  if (last === null) return 0;
  let deleted = 0;
  // Starts with what an earlier run left over: the database keeps entries of the last day by its own clock.
  let from: number | null = 0;
  while (from !== null) {
    const after: number = from;
    const batch = await database.transaction((tx) => deleteEntries(tx, { after, last }));
    deleted += batch.deleted;
    from = batch.end;
  }
  return deleted;
}

/** Deletes the next entries. `end` is their last position; null if there are no further ones. */
async function deleteEntries(
  tx: Transaction,
  { after, last }: { readonly after: number; readonly last: number },
): Promise<{ readonly deleted: number; readonly end: number | null }> {
  // Two replicas delete one after the other.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${chainLock}, 0))`);
  const [row] = await tx.query<{ last_position: string | null }>(
    sql`select max(position) as last_position from (select position from private.audit_seals
        where position > ${after} and position <= ${last} order by position limit ${batchEntries}) as batch`,
  );
  const end = row?.last_position ?? null;
  if (end === null) return { deleted: 0, end };
  const deleted = await tx.query(
    sql`delete from private.audit_log l using private.audit_seals s
        where s.entry_id = l.id and s.position > ${after} and s.position <= ${end} returning l.id`,
  );
  await tx.query(
    sql`delete from private.audit_seals s where s.position > ${after} and s.position <= ${end}
        and not exists (select from private.audit_log l where l.id = s.entry_id)`,
  );
  return { deleted: deleted.length, end: Number(end) };
}

/** Returns the last point before the first younger entry; null if there is nothing to cut. */
async function findEnd(
  tx: Transaction,
  { earlier, before }: { readonly earlier: number; readonly before: Date },
): Promise<ChainPoint | null> {
  const [row] = await tx.query<{ position: string; hash: string }>(
    sql`select s.position, encode(s.hash, 'hex') as hash from private.audit_seals s
         where s.position > ${earlier}
           and s.position < coalesce(
             (select y.position from private.audit_seals y join private.audit_log l on l.id = y.entry_id
               where y.position > ${earlier} and l.at >= ${before} order by y.position limit 1),
             9223372036854775807)
         order by s.position desc limit 1`,
  );
  return row ? toChainPoint(row) : null;
}
