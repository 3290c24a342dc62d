/** Migrates the database, or checks that its schema version is current. */
import type { Logger } from 'pino';
import { type Database, sql } from '@lanternrock/postgres';
import { QueryError, OperationalError } from '@lanternrock/postgres/errors';
import {
  isInitialized,
  applyMigrations,
  readMigrationState,
  readMigrations,
  requireKnownMigrations,
} from '@lanternrock/postgres/migrations';
import type { Config } from '../config/settings.ts';
import { recordExternalDatabase, requireNoLostExternalDatabase } from './data-directory.ts';
import { requireConnections, requireWritable } from './server-checks.ts';
import { migrationDirectories } from '../paths.ts';

interface MigrateOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  /** Creates an instance also if an earlier external database of this instance is missing, for a restore. */
  readonly replacesLost?: boolean;
}

/** @throws OperationalError with MIGRATE=off: an unmanaged database has no tables of the service */
export function requireManagedDatabase({ MIGRATE }: Config): void {
  if (!MIGRATE) throw new OperationalError('Not available with MIGRATE=off. Nothing was changed.');
}

/**
 * Applies pending migrations.
 *
 * @returns the names of the applied migrations
 * @throws OperationalError
 */
export async function migrateDatabase(options: MigrateOptions): Promise<string[]> {
  const { config, database, log, replacesLost = false } = options;
  requireManagedDatabase(config);
  await requireWritable(database);
  await requireConnections(database, config.DATABASE_POOL);
  const isNew = !(await isInitialized(database));
  if (isNew && !replacesLost) await requireNoLostInstance(options);
  const applied = await applyMigrations(database, readMigrations(migrationDirectories)).catch(
    (error: unknown) => {
      throw explainMigrationError(error, isNew);
    },
  );
  // After the migration: a start that fails leaves the directory free for an embedded database.
  if (config.DATABASE_URL !== '') recordExternalDatabase(config.DATA_DIR);
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  return applied;
}

/** SQLSTATEs of an object that exists already, by another application. */
const duplicateObject = /^42(P0[67]|710|723|701|P16)$/;

function explainMigrationError(error: unknown, isNew: boolean): unknown {
  if (!(error instanceof QueryError)) return error;
  const outcome = isNew ? ' Nothing was changed.' : '';
  if (error.code === '42501') {
    const fix = error.message.startsWith('permission denied to grant role')
      ? 'Another user of this server created the role, and since Postgres 16 CREATEROLE does not suffice. As a superuser, run: ' +
        'grant anon, authenticated, service_role, authenticator, platform_administrator to USER with admin option.'
      : 'The user of DATABASE_URL must own the database and have CREATEROLE.';
    return new OperationalError(`Cannot apply migrations: ${error.message}.${outcome} ${fix}`);
  }
  if (!isNew) return error;
  const fix = duplicateObject.test(error.code)
    ? 'Another application uses the database of DATABASE_URL: create an empty database.'
    : 'Set DATABASE_URL to an empty database, or run "lanternrock doctor" for details.';
  return new OperationalError(`Cannot apply migrations: ${error.message} (${error.code}).${outcome} ${fix}`, {
    cause: error,
  });
}

/** Describes the database for messages: the directory of an embedded database, or the name of an external one. */
export async function describeDatabase({ config, database }: OpenDatabase): Promise<string> {
  if (!config.DATABASE_URL) return config.DATA_DIR;
  const [row] = await database.query<{ name: string }>(sql`select current_database()::text as name`);
  return `the database ${row?.name ?? ''} of DATABASE_URL`;
}

type OpenDatabase = Pick<MigrateOptions, 'config' | 'database'>;

/**
 * For an external database without tables: it must not be that of an instance that had them.
 *
 * @throws OperationalError
 */
export async function requireNoLostInstance(opened: OpenDatabase): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = opened.config;
  if (DATABASE_URL !== '') requireNoLostExternalDatabase(DATA_DIR, await describeDatabase(opened));
}

/** @throws OperationalError if no migration has been applied */
async function requireInstance(opened: OpenDatabase): Promise<void> {
  const { database } = opened;
  if (await isInitialized(database)) return;
  await requireNoLostInstance(opened);
  const location = database.engine === 'embedded' ? 'in DATA_DIR' : 'of DATABASE_URL';
  throw new OperationalError(
    `The database ${location} is empty. Run "lanternrock start" or "lanternrock migrate" to create the tables.`,
  );
}

const pendingMigrations = (count: number): string => `${count} pending migration${count === 1 ? '' : 's'}`;

/**
 * Compares the schema version, for commands that only read.
 *
 * @returns one line about the difference, or null if the schema is current
 * @throws OperationalError if no migration has been applied
 */
export async function findSchemaVersionWarning(opened: OpenDatabase): Promise<string | null> {
  await requireInstance(opened);
  const { pending, unknown } = await readMigrationState(
    opened.database,
    readMigrations(migrationDirectories),
  );
  if (unknown[0] !== undefined)
    return `The database was migrated by a newer or unreleased version (${unknown[0]}). Nothing was changed.`;
  if (pending.length === 0) return null;
  return `${pendingMigrations(pending.length)}. Run "lanternrock migrate" or start the service to apply them.`;
}

/** @throws OperationalError if migrations are pending or unknown */
export async function requireCurrentSchema(opened: OpenDatabase): Promise<void> {
  await requireInstance(opened);
  const state = await readMigrationState(opened.database, readMigrations(migrationDirectories));
  requireKnownMigrations(state);
  if (state.pending.length === 0) return;
  throw new OperationalError(
    `${pendingMigrations(state.pending.length)}. Nothing was changed. Write a backup, then run "lanternrock migrate" or start the service to apply them.`,
  );
}
