/**
 * Applies numbered SQL files in order, forward only. Each file runs in a transaction that first inserts a row into
 * `platform.migrations`. A killed process therefore leaves no partial migration, and replicas apply each file once.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { OperationalError, QueryError } from './errors.ts';
import type { Database, Transaction } from './database.ts';
import { sql } from './database.ts';

export interface Migration {
  /** File name with the label of its directory, for example `platform/0001_roles.sql`. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

export interface MigrationDirectory {
  /** Prefix of the migration names, for example `platform`. */
  readonly label: string;
  readonly directory: string;
}

/** Returns all migrations in the order in which they are applied. */
export function readMigrations(directories: readonly MigrationDirectory[]): Migration[] {
  return directories.flatMap(({ label, directory }) =>
    fs
      .readdirSync(directory)
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => {
        const text = fs.readFileSync(path.join(directory, file), 'utf8');
        return { name: `${label}/${file}`, text, checksum: createHash('sha256').update(text).digest('hex') };
      }),
  );
}

/** Key of the advisory lock: an arbitrary number, equal in all replicas. */
const migrationLockKey = 7_215_001;

/**
 * Applies pending migrations, in a new database all of them in one transaction: a database that cannot be migrated is
 * left as it was. Later ones have a transaction each.
 *
 * @returns the names of the applied migrations
 * @throws OperationalError if the database has a migration that this version lacks, or an applied file was changed
 */
export async function applyMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  if (!(await isInitialized(database))) {
    return inMigrationLock(database, async (tx) => {
      await database.script(tx, createTable);
      // Another replica can have created the table before this one had the lock.
      return applyAll(migrations, (migration) => apply(database, tx, migration));
    });
  }
  const state = await readMigrationState(database, migrations);
  requireKnownMigrations(state);
  const pending = migrations.filter(({ name }) => state.pending.includes(name));
  return applyAll(pending, (migration) => inMigrationLock(database, (tx) => apply(database, tx, migration)));
}

/** Attempts of a migration that conflicts with those of other databases. */
const maxAttempts = 10;

/** Runs `work` in a transaction under the lock, and again after a conflict about roles. */
async function inMigrationLock<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.maintenance(async (tx) => {
        await tx.query(sql`select pg_advisory_xact_lock(${migrationLockKey})`);
        return work(tx);
      });
    } catch (error) {
      if (attempt === maxAttempts || !isRoleConflict(error)) throw error;
    }
  }
}

/**
 * True if the migration of another database of the server created or granted the same role at the same time. Roles belong to
 * the server, and advisory locks to one database.
 */
const isRoleConflict = (error: unknown): boolean =>
  error instanceof QueryError &&
  ((error.code === '23505' && error.constraint?.startsWith('pg_auth') === true) ||
    (error.code === 'XX000' && error.message === 'tuple concurrently updated'));

const createTable = `create schema if not exists platform;
  revoke all on schema platform from public;
  create table if not exists platform.migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`;

async function applyAll(
  migrations: readonly Migration[],
  applyOne: (migration: Migration) => Promise<boolean>,
): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of migrations) if (await applyOne(migration)) applied.push(migration.name);
  return applied;
}

export interface MigrationState {
  /** Migrations that are not applied, in order. */
  readonly pending: readonly string[];
  /** Applied migrations that this version does not contain. */
  readonly unknown: readonly string[];
  /** Applied migrations whose file has changed since. */
  readonly changed: readonly string[];
}

/** Returns true if a start, migrate or restore command has created the migrations table. */
export async function isInitialized(database: Database): Promise<boolean> {
  const [row] = await database.query<{ exists: boolean }>(
    sql`select to_regclass('platform.migrations') is not null as exists`,
  );
  return row?.exists === true;
}

/** Compares the database with the migrations of this version. */
export async function readMigrationState(
  database: Database,
  migrations: readonly Migration[],
): Promise<MigrationState> {
  const applied = (await isInitialized(database))
    ? await database.query<{ name: string; checksum: string }>(
        sql`select name, checksum from platform.migrations`,
      )
    : [];
  const findMigration = (name: string): Migration | undefined =>
    migrations.find((file) => file.name === name);
  return {
    pending: migrations.map(({ name }) => name).filter((name) => !applied.some((row) => row.name === name)),
    unknown: applied.map(({ name }) => name).filter((name) => !findMigration(name)),
    changed: applied
      .filter(({ name, checksum }) => findMigration(name) && findMigration(name)?.checksum !== checksum)
      .map(({ name }) => name),
  };
}

/** @throws OperationalError if the database has a migration that this version lacks, or an applied file was changed */
export function requireKnownMigrations({ unknown, changed }: MigrationState): void {
  if (unknown[0] !== undefined)
    throw new OperationalError(
      `The database was migrated by a newer or unreleased version (${unknown[0]}). Start that version, or use an empty database.`,
    );
  if (changed[0] !== undefined)
    throw new OperationalError(
      `The migration ${changed[0]} differs from the one that was applied. Restore the file.`,
    );
}

async function apply(
  database: Database,
  tx: Transaction,
  { name, text, checksum }: Migration,
): Promise<boolean> {
  const inserted = await tx.query(
    sql`insert into platform.migrations (name, checksum) values (${name}, ${checksum})
        on conflict (name) do nothing returning name`,
  );
  // Another replica has applied it concurrently.
  if (inserted.length === 0) return false;
  await database.script(tx, text);
  return true;
}
