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
import { requireWritable } from './server-checks.ts';
import { migrationDirectories } from '../paths.ts';

interface MigrateOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
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
export async function migrateDatabase({ config, database, log }: MigrateOptions): Promise<string[]> {
  requireManagedDatabase(config);
  await requireWritable(database);
  const applied = await applyMigrations(database, readMigrations(migrationDirectories)).catch(
    (error: unknown) => {
      if (!(error instanceof QueryError) || error.code !== '42501') throw error;
      const fix = 'The user of DATABASE_URL must own the database and have CREATEROLE.';
      throw new OperationalError(`Cannot apply migrations: ${error.message}. ${fix}`);
    },
  );
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  return applied;
}

/** Describes the database for messages: the directory of an embedded database, or the name of an external one. */
export async function describeDatabase({ config, database }: Omit<MigrateOptions, 'log'>): Promise<string> {
  if (!config.DATABASE_URL) return config.DATA_DIR;
  const [row] = await database.query<{ name: string }>(sql`select current_database()::text as name`);
  return `the database ${row?.name ?? ''} of DATABASE_URL`;
}

/** @throws OperationalError if no migration has been applied */
async function requireInstance(database: Database): Promise<void> {
  if (await isInitialized(database)) return;
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
export async function schemaVersionWarning(database: Database): Promise<string | null> {
  await requireInstance(database);
  const { pending, unknown } = await readMigrationState(database, readMigrations(migrationDirectories));
  if (unknown[0] !== undefined)
    return `The database was migrated by a newer version (${unknown[0]}). Nothing was changed.`;
  if (pending.length === 0) return null;
  return `${pendingMigrations(pending.length)}. Run "lanternrock migrate" or start the service to apply them.`;
}

/** @throws OperationalError if migrations are pending or unknown */
export async function requireCurrentSchema(database: Database): Promise<void> {
  await requireInstance(database);
  const state = await readMigrationState(database, readMigrations(migrationDirectories));
  requireKnownMigrations(state);
  if (state.pending.length === 0) return;
  throw new OperationalError(
    `${pendingMigrations(state.pending.length)}. Nothing was changed. Write a backup, then run "lanternrock migrate" or start the service to apply them.`,
  );
}
