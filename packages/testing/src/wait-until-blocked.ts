import { vi } from 'vitest';
import { type Database, sql } from '@lanternrock/postgres';

/**
 * Waits until `count` statements wait for locks of other transactions. Postgres only, which runs statements
 * concurrently.
 */
export async function waitUntilBlocked(database: Database, count = 1): Promise<void> {
  const isBlocked = async (): Promise<boolean> => {
    const waiting = await database.query(sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return waiting.length >= count;
  };
  // High enough that a busy machine does not cause a timeout.
  await vi.waitUntil(isBlocked, { timeout: 20_000 });
}
