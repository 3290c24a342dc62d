/** Checks the server of DATABASE_URL before anything is changed. */
import type { Database } from '@lanternrock/postgres';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';

/** What an operator can do about a server that refuses writes. */
export const writableAgain =
  'Set DATABASE_URL to the primary, promote the standby, or reset default_transaction_read_only of the database or user.';

/** @throws OperationalError if the server refuses writes */
export async function requireWritable(database: Database): Promise<void> {
  await database.requireWritable().catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailableError) || error.reason !== 'read-only') throw error;
    throw new OperationalError(`The database refuses writes: ${error.message}. ${writableAgain}`, {
      cause: error,
    });
  });
}
