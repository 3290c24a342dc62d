import { vi } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { sql } from '../../src/database/sql.ts';

/** Until a statement of the database waits for the lock of another; for Postgres, which runs several at once. */
export async function untilBlocked(database: Database): Promise<void> {
  await vi.waitUntil(async () => {
    const waiting = await database.query(sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return waiting.length > 0;
  });
}
