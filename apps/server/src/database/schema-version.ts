/** Whether the database is of this version: who brings it there, and what all others say about it. */
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
import { migrationFolders } from '../paths.ts';

export interface MigrateOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
}

/** @throws OperationalError with MIGRATE=off, where the tables of the service are missing. */
export function requireManagedDatabase({ MIGRATE }: Config): void {
  if (!MIGRATE)
    throw new OperationalError('With MIGRATE=off this database is managed elsewhere; nothing was done.');
}

/** @returns the names of the files that were applied now. @throws OperationalError */
export async function migrateDatabase({ config, database, log }: MigrateOptions): Promise<string[]> {
  requireManagedDatabase(config);
  const applied = await applyMigrations(database, readMigrations(migrationFolders)).catch(
    (error: unknown) => {
      if (!(error instanceof QueryError) || error.code !== '42501') throw error;
      const more = 'The login must own the database and have CREATEROLE.';
      throw new OperationalError(`The migrations of DATABASE_URL were refused: ${error.message}. ${more}`);
    },
  );
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  return applied;
}

/** The name of a database for people: its folder, or what Postgres calls it. */
export async function describeDatabase({ config, database }: Omit<MigrateOptions, 'log'>): Promise<string> {
  if (!config.DATABASE_URL) return config.DATA_DIR;
  const [found] = await database.query<{ name: string }>(sql`select current_database()::text as name`);
  return `the database ${found?.name ?? ''} of DATABASE_URL`;
}

/** @throws OperationalError where no start has been yet. */
async function requireInstance(database: Database): Promise<void> {
  if (await isInitialized(database)) return;
  const which = database.engine === 'embedded' ? 'in DATA_DIR' : 'of DATABASE_URL';
  throw new OperationalError(`The database ${which} is empty; the first start, or migrate, fills it.`);
}

const waitingWords = (count: number): string =>
  count === 1 ? '1 migration is waiting' : `${count} migrations are waiting`;

/**
 * For what only reads, and leaves an older or newer database as it is.
 * @returns one line on how it differs from this version; null where it does not.
 * @throws OperationalError where no start has been yet.
 */
export async function schemaVersionWarning(database: Database): Promise<string | null> {
  await requireInstance(database);
  const { missing, unknown } = await readMigrationState(database, readMigrations(migrationFolders));
  if (unknown[0] !== undefined)
    return `The database was migrated by a newer version (${unknown[0]}); it is left as it is.`;
  if (missing.length === 0) return null;
  return `${waitingWords(missing.length)} for lanternrock migrate, or the next start; the database is left as it is.`;
}

/** For what needs the tables of this version. @throws OperationalError where the database has others. */
export async function requireCurrentSchema(database: Database): Promise<void> {
  await requireInstance(database);
  const state = await readMigrationState(database, readMigrations(migrationFolders));
  requireKnownMigrations(state);
  if (state.missing.length === 0) return;
  throw new OperationalError(
    `${waitingWords(state.missing.length)}; nothing was done. For a way back write a backup first, then lanternrock migrate, or start.`,
  );
}
