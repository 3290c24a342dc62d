import { vi } from 'vitest';
import { type Database, sql } from '@lanternrock/postgres';

/** Waits until `count` statements wait for locks of others; for Postgres, which runs several at a time. */
export async function waitUntilBlocked(database: Database, count = 1): Promise<void> {
  const isBlocked = async (): Promise<boolean> => {
    const waiting = await database.query(sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return waiting.length >= count;
  };
  // A busy machine must not decide a test.
  await vi.waitUntil(isBlocked, { timeout: 20_000 });
}
