/** A clock of the database that a test moves. */
import type { DatabaseClock } from '@lanternrock/postgres/clock';

export const createTestClock = (now: () => Date): DatabaseClock => ({
  read: async () => now(),
  estimate: now,
  fixed: now,
});
