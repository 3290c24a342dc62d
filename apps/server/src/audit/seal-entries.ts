/**
 * Seals committed audit log entries in their order: gives each the next position of the hash chain. Every replica runs
 * it; an advisory lock lets one at a time work. A batch is one transaction, so a killed process leaves no partial batch.
 */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { nextPoint } from './chain-hash.ts';
import { chainLock } from './chain-lock.ts';
import { entriesPerQuery, readEntryTexts, readHead } from './chain-reads.ts';

export interface Sealer {
  /** Seals all entries of transactions that ended before the call. */
  seal(): Promise<void>;
  /** Counts the entries that are not sealed. */
  countUnsealed(): Promise<number>;
  /** Lets the next call look at every entry of the log again. */
  reset(): void;
  /** Ends running calls of `seal` after their current batch. The next process continues. */
  stop(): void;
}

interface Tick {
  readonly locked: boolean;
  /** The highest ID that was given to an entry, committed or not. */
  readonly last_id: string;
  /** All transactions of this database below it have ended. */
  readonly horizon: string;
  /** All transactions from it on had not started. */
  readonly xmax: string;
}

/**
 * The settled part of the log, as one process knows it: every entry up to `floor` is sealed, and no transaction can
 * still commit one. An identity value is given before its commit, so the highest sealed ID says nothing about lower ones.
 */
interface Progress {
  readonly floor: string;
  /** IDs up to `lastId` belong to transactions below `xmax`. */
  readonly mark: { readonly lastId: string; readonly xmax: string } | null;
  readonly lastId: string | null;
}

const nothingKnown: Progress = { floor: '0', mark: null, lastId: null };

export function createSealer(database: Database): Sealer {
  let progress = nothingKnown;
  const stopping = new AbortController();
  /** Seals the first entries after an ID that ended before `since`. Returns null while another replica seals. */
  const sealBatch = (after: string, since: Tick | undefined) =>
    database.transaction(async (tx) => {
      const tick = await readTick(tx);
      if (!tick?.locked) return null;
      const ids = await findUnsealed(tx, after, (since ?? tick).horizon);
      if (ids.length > 0) await insertSeals(tx, ids);
      return { tick, ids };
    });
  return {
    seal: async () => {
      const before = progress;
      let start: Tick | undefined;
      let after = before.floor;
      while (!stopping.signal.aborted) {
        const batch = await sealBatch(after, start);
        if (!batch) return;
        start ??= batch.tick;
        if (batch.ids.length < entriesPerQuery) {
          // A concurrent call knows a newer state.
          if (progress === before) progress = advance(before, start);
          return;
        }
        // Without this, each batch would read all entries that the batches before it have sealed.
        after = batch.ids.at(-1) ?? after;
      }
    },
    countUnsealed: async () => {
      const [row] = await database.query<{ count: number }>(
        sql`select count(*)::int as count from private.audit_log l where l.id > ${progress.floor}
            and not exists (
              select from private.audit_seals s where s.entry_id = l.id and s.entry_id > ${progress.floor}
            )`,
      );
      return row?.count ?? 0;
    },
    reset: () => {
      progress = nothingKnown;
    },
    stop: () => {
      stopping.abort();
    },
  };
}

async function readTick(tx: Transaction): Promise<Tick | undefined> {
  // A snapshot lists the transactions of all databases of the server. Those of others must not delay the chain.
  const [tick] = await tx.query<Tick>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${chainLock}, 0)) as locked,
               (select case when is_called then last_value else 0 end from private.audit_log_id_seq) as last_id,
               pg_snapshot_xmax(s)::text as xmax,
               coalesce((
                 select min(x::text::bigint) from pg_snapshot_xip(s) x
                  where pg_xact_status(x) = 'in progress'
                    and not exists (
                      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                       where l.locktype = 'transactionid' and l.transactionid = x::xid and l.granted
                         and l.mode = 'ExclusiveLock' and a.datname <> current_database())
               )::text, pg_snapshot_xmax(s)::text) as horizon
          from pg_current_snapshot() s`,
  );
  return tick;
}

/**
 * Returns the first unsealed entries after an ID, of transactions below `horizon`. The condition of the seals seems redundant,
 * but a merge join without it reads all seals.
 */
async function findUnsealed(tx: Transaction, after: string, horizon: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql`select l.id from private.audit_log l
         where l.id > ${after}
           and age(l.xmin) > (select age(${horizon}::xid8::xid))
           and not exists (
             select from private.audit_seals s where s.entry_id = l.id and s.entry_id > ${after}
           )
         order by l.id limit ${entriesPerQuery}`,
  );
  return rows.map(({ id }) => id);
}

async function insertSeals(tx: Transaction, ids: readonly string[]): Promise<void> {
  const texts = await readEntryTexts(tx, ids);
  let point = await readHead(tx);
  const first = point.position + 1;
  const hashes = ids.map((id) => {
    const entry = texts.get(id);
    if (!entry) throw new Error('An audit log entry disappeared while it was sealed');
    point = nextPoint(point, entry);
    return point.hash;
  });
  await tx.query(
    sql`insert into private.audit_seals (position, entry_id, hash)
        select ${first} + n - 1, id, decode(hash, 'hex')
          from unnest(${ids}::bigint[], ${hashes}::text[]) with ordinality as sealed (id, hash, n)`,
  );
}

/**
 * Moves the floor up to a mark when all transactions that existed at the mark have ended. The ID of a mark is one call
 * older than its transactions: a transaction gets its number just after the first ID that it uses.
 *
 * @param tick the state at the start of a call that sealed everything below its horizon
 */
function advance({ floor, mark, lastId }: Progress, tick: Tick): Progress {
  const settled = mark !== null && BigInt(tick.horizon) >= BigInt(mark.xmax);
  const openMark = settled ? null : mark;
  return {
    floor: settled ? mark.lastId : floor,
    mark: openMark ?? (lastId === null ? null : { lastId, xmax: tick.xmax }),
    lastId: tick.last_id,
  };
}
