/** Checks the server of DATABASE_URL before anything is changed. */
import { type Database, sql } from '@lanternrock/postgres';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';

/** A replica listens on two connections of its own. */
const listeningConnections = 2;

interface Limits {
  readonly user_name: string;
  readonly user_limit: number;
  readonly database_limit: number;
  readonly server_limit: number;
}

/**
 * Returns the lowest connection limit that is too low for the pool; null if there is none. A pooler has its own limits.
 */
export async function findConnectionShortage(database: Database, poolSize: number): Promise<string | null> {
  if (database.engine === 'embedded' || database.pooling !== 'none') return null;
  // A limit of -1 means none; superusers have only that of the server.
  const [row] = await database.query<Limits>(
    sql`select session_user::text as user_name,
               case when rolsuper then -1 else rolconnlimit end as user_limit,
               (select case when rolsuper then -1 else datconnlimit end
                  from pg_catalog.pg_database where datname = current_database()) as database_limit,
               current_setting('max_connections')::int
                 - current_setting('superuser_reserved_connections')::int
                 - coalesce(current_setting('reserved_connections', true), '0')::int as server_limit
          from pg_catalog.pg_roles where rolname = session_user`,
  );
  if (!row) return null;
  const needed = poolSize + listeningConnections;
  const limits: readonly (readonly [string, number])[] = [
    [`The user ${row.user_name} of DATABASE_URL`, row.user_limit],
    ['The database of DATABASE_URL', row.database_limit],
    ['The server of DATABASE_URL', row.server_limit],
  ];
  const [lowest] = limits.filter(([, limit]) => limit >= 0 && limit < needed).sort((a, b) => a[1] - b[1]);
  if (!lowest) return null;
  const [subject, limit] = lowest;
  const largest = limit - listeningConnections;
  const smaller = largest > 0 ? `Set DATABASE_POOL to ${largest} or less, or allow more` : 'Allow more';
  return `${subject} permits ${limit} connections, but DATABASE_POOL=${poolSize} needs ${needed}, two of them for notifications. ${smaller} connections.`;
}

/** @throws OperationalError naming DATABASE_POOL */
export async function requireConnections(database: Database, poolSize: number): Promise<void> {
  const problem = await findConnectionShortage(database, poolSize);
  if (problem !== null) throw new OperationalError(problem);
}

/** What an operator can do about a server that rejects writes. */
export const writableAgain =
  'Set DATABASE_URL to the primary, promote the standby, or reset default_transaction_read_only of the database or user.';

/** @throws OperationalError if the server rejects writes */
export async function requireWritable(database: Database): Promise<void> {
  await database.requireWritable().catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailableError) || error.reason !== 'read-only') throw error;
    throw new OperationalError(`The database refuses writes: ${error.message}. ${writableAgain}`, {
      cause: error,
    });
  });
}
