/**
 * Runs numbered SQL files, roll-forward only, in the order of their folders. Each file is one
 * transaction that starts with its own row in `platform.migrations`, so that a kill at any moment
 * leaves either all of a file or nothing, and two copies starting together apply it once.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { OperationalError } from './errors.ts';
import type { Database } from './database.ts';
import { sql } from './database.ts';

export interface Migration {
  /** File name with its folder, for example `platform/0001_roles.sql`. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

export interface MigrationFolder {
  /** Precedes the file names, for example `platform`. */
  readonly label: string;
  readonly directory: string;
}

/** Returns all migrations in the order in which they apply. */
export function readMigrations(folders: readonly MigrationFolder[]): Migration[] {
  return folders.flatMap(({ label, directory: folder }) =>
    fs
      .readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => {
        const text = fs.readFileSync(path.join(folder, file), 'utf8');
        return { name: `${label}/${file}`, text, checksum: createHash('sha256').update(text).digest('hex') };
      }),
  );
}

/** Any number of our own choice; the same for every copy of the service. */
const migrationLock = 7_215_001;

/**
 * Brings the database to this version.
 * @returns the names of the files that were applied now.
 * @throws OperationalError when the database is newer than this version or an applied file was changed.
 */
export async function applyMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  await database.maintenance(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
    await database.script(
      tx,
      `create schema if not exists platform;
       revoke all on schema platform from public;
       create table if not exists platform.migrations (
         name text primary key,
         checksum text not null,
         applied_at timestamptz not null default now()
       )`,
    );
  });
  const state = await readMigrationState(database, migrations);
  requireKnownMigrations(state);
  const applied: string[] = [];
  for (const migration of migrations) {
    if (state.missing.includes(migration.name) && (await apply(database, migration)))
      applied.push(migration.name);
  }
  return applied;
}

export interface MigrationState {
  /** Files that are not applied yet, in order. */
  readonly missing: readonly string[];
  /** Applied ones that this version does not have. */
  readonly unknown: readonly string[];
  /** Applied ones whose file is another one today. */
  readonly changed: readonly string[];
}

/** Whether a start, migrate or restore has been here. */
export async function isInitialized(database: Database): Promise<boolean> {
  const [found] = await database.query<{ there: boolean }>(
    sql`select to_regclass('platform.migrations') is not null as there`,
  );
  return found?.there === true;
}

/** Compares the database with the files of this version, and changes nothing. */
export async function readMigrationState(
  database: Database,
  migrations: readonly Migration[],
): Promise<MigrationState> {
  const known = (await isInitialized(database))
    ? await database.query<{ name: string; checksum: string }>(
        sql`select name, checksum from platform.migrations`,
      )
    : [];
  const fileOf = (name: string): Migration | undefined => migrations.find((file) => file.name === name);
  return {
    missing: migrations.map(({ name }) => name).filter((name) => !known.some((row) => row.name === name)),
    unknown: known.map(({ name }) => name).filter((name) => !fileOf(name)),
    changed: known
      .filter(({ name, checksum }) => fileOf(name) && fileOf(name)?.checksum !== checksum)
      .map(({ name }) => name),
  };
}

/** @throws OperationalError when the database is newer than this version or an applied file was changed. */
export function requireKnownMigrations({ unknown, changed }: MigrationState): void {
  if (unknown[0] !== undefined)
    throw new OperationalError(
      `The database was migrated by a newer version (${unknown[0]}). Start that version.`,
    );
  if (changed[0] !== undefined)
    throw new OperationalError(
      `The migration ${changed[0]} differs from the one that was applied. Restore the file.`,
    );
}

async function apply(database: Database, { name, text, checksum }: Migration): Promise<boolean> {
  return database.maintenance(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
    const inserted = await tx.query(
      sql`insert into platform.migrations (name, checksum) values (${name}, ${checksum})
          on conflict (name) do nothing returning name`,
    );
    // Another copy of the service was faster.
    if (inserted.length === 0) return false;
    await database.script(tx, text);
    return true;
  });
}
