/** The clock of the database, the only one that all replicas share. */
import { type Transaction, sql } from './database.ts';

export interface DatabaseClock {
  /**
   * Reads the time in one round trip. Every lease, expiry and limit that another replica may compare comes from here.
   *
   * @param tx the transaction of the caller: a second connection could wait for it
   */
  read(tx: Transaction): Promise<Date>;
  /**
   * Returns the time without a round trip: that of this process, corrected by the difference at the last `read`. Only for
   * the times of access tokens, which have a tolerance.
   */
  estimate(): Date;
  /** For a statement that reads the clock itself, `coalesce(${clock.fixed()}, clock_timestamp())`: null, except in tests. */
  fixed(): Date | null;
}

/** Duration of a `read` that corrects the estimate in any case, in milliseconds. */
const minLimitMs = 200;
/** Growth of the limit at each longer `read`: the database can be farther away than before. */
const limitGrowth = 1.1;

export function createDatabaseClock(): DatabaseClock {
  let differenceMs = 0;
  let limitMs = Number.POSITIVE_INFINITY;
  return {
    read: async (tx) => {
      const sentAt = performance.now();
      const [row] = await tx.query<{ now: Date }>(sql`select clock_timestamp() as now`);
      if (!row) throw new Error('The clock statement returned no row');
      const durationMs = performance.now() - sentAt;
      // A long wait, for a connection or for the network, says little about the time of the result.
      if (durationMs <= limitMs) differenceMs = row.now.getTime() + durationMs / 2 - Date.now();
      limitMs = Math.max(minLimitMs, Math.min(limitMs * limitGrowth, durationMs));
      return row.now;
    },
    estimate: () => new Date(Date.now() + differenceMs),
    fixed: () => null,
  };
}

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);
