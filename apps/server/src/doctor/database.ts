/** Checks the database: version, settings, migrations and roles. Reads only. */
import { type Database, sql } from '@lanternrock/postgres';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import {
  isInitialized,
  readMigrations,
  readMigrationState,
  type MigrationState,
} from '@lanternrock/postgres/migrations';
import type { Config } from '../config/settings.ts';
import { findPostgresSupportWarning } from '../config/end-of-life.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';
import { requireNoLostInstance } from '../database/schema-version.ts';
import { toErrorMessage } from '../errors.ts';
import { findConnectionShortage, writableAgain } from '../database/server-checks.ts';
import { migrationDirectories } from '../paths.ts';

export async function checkDatabase(database: Database, config: Config, now: Date): Promise<CheckResult[]> {
  const results = [
    checkVersion(database, now),
    ...checkSizes(database),
    await checkWrites(database),
    ...(await checkSettings(database, config)),
  ];
  // An unmanaged database has its own migrations, roles and users.
  if (!config.MIGRATE) return results;
  if (!(await isInitialized(database))) {
    const lost = await requireNoLostInstance({ config, database }).then(() => null, toErrorMessage);
    if (lost !== null)
      return [...results, failed('migrations', lost, 'Fix this first: the service does not start.')];
  }
  const state = await readMigrationState(database, readMigrations(migrationDirectories));
  results.push(checkMigrations(state), ...(await checkRoles(database)));
  return state.pending.length > 0 ? results : [...results, await checkAdministrators(database)];
}

function checkVersion({ engine, version }: Database, now: Date): CheckResult {
  const product = engine === 'embedded' ? 'embedded Postgres' : 'Postgres';
  const message = `${product} ${Math.floor(version / 10_000)}.${version % 10_000}`;
  // The embedded engine is updated with the product.
  const supportWarning = engine === 'embedded' ? null : findPostgresSupportWarning(version, now);
  return supportWarning ? warning('database', supportWarning, 'Update Postgres.') : ok('database', message);
}

async function checkWrites(database: Database): Promise<CheckResult> {
  try {
    await database.requireWritable();
    return ok('writes', 'accepted');
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    return failed('writes', error.message, writableAgain);
  }
}

const mebibyte = 1_048_576;
/** The service limits the write-ahead log of the embedded engine to this size, except during a single large change. */
const maxWalBytes = 128 * mebibyte;

/** Only the embedded engine reports its sizes. */
function checkSizes({ sizes }: Database): CheckResult[] {
  if (!sizes) return [];
  const { database, wal } = sizes();
  const message = `database ${Math.ceil(database / mebibyte)} MiB, write-ahead log ${Math.ceil(wal / mebibyte)} MiB`;
  const fix =
    'A single large change increases the log. Start the service, which truncates it within seconds.';
  return [wal > maxWalBytes ? warning('size', message, fix) : ok('size', message)];
}

async function checkSettings(database: Database, config: Config): Promise<CheckResult[]> {
  const [row] = await database.query<{
    fsync: string;
    commit: string;
    pages: string;
    encoding: string;
    timezone: string;
    max_connections: number;
    extensions: string;
  }>(
    sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
               current_setting('full_page_writes') as pages, current_setting('server_encoding') as encoding,
               current_setting('TimeZone') as timezone,
               current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max_connections,
               (select string_agg(extname, ', ' order by extname) from pg_catalog.pg_extension) as extensions`,
  );
  if (!row) return [];
  const durable = row.fsync === 'on' && row.commit !== 'off' && row.pages === 'on';
  const values = `fsync ${row.fsync}, synchronous_commit ${row.commit}, full_page_writes ${row.pages}`;
  const results = [
    durable
      ? ok('durability', values)
      : failed('durability', values, 'Turn these settings on, or a power loss can lose committed rows.'),
    row.encoding === 'UTF8'
      ? ok('encoding', `UTF8, time zone ${row.timezone}, extensions ${row.extensions}`)
      : failed('encoding', row.encoding, 'Create the database with encoding UTF8.'),
  ];
  if (database.engine === 'postgres') {
    const message = `${config.DATABASE_POOL} of ${row.max_connections} connections`;
    const problem = await findConnectionShortage(database, config.DATABASE_POOL);
    results.push(
      problem !== null
        ? failed('connections', problem, 'Decrease DATABASE_POOL or allow more connections.')
        : config.DATABASE_POOL * 2 > row.max_connections
          ? warning('connections', message, 'Increase max_connections to run a second replica.')
          : ok('connections', message),
    );
  }
  return results;
}

function checkMigrations({ pending, unknown, changed }: MigrationState): CheckResult {
  if (unknown.length > 0)
    return failed(
      'migrations',
      `unknown: ${unknown.join(', ')}`,
      'Start the version that applied them, or use an empty database.',
    );
  if (changed.length > 0)
    return failed(
      'migrations',
      `changed after they were applied: ${changed.join(', ')}`,
      'Restore these files.',
    );
  if (pending.length > 0)
    return warning(
      'migrations',
      `${pending.length} pending`,
      'Run "lanternrock migrate" or start the service.',
    );
  return ok('migrations', 'up to date');
}

async function checkRoles(database: Database): Promise<CheckResult[]> {
  const [row] = await database.query<{ privileged: string | null; unprotected: string | null }>(
    sql`select (select string_agg(rolname, ', ') from pg_catalog.pg_roles
                 where rolname in ('anon', 'authenticated', 'authenticator') and (rolsuper or rolbypassrls)) as privileged,
               (select string_agg(c.relname, ', ') from pg_catalog.pg_class c
                 where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')
                   and not (c.relrowsecurity and c.relforcerowsecurity)) as unprotected`,
  );
  const databaseUser =
    database.engine === 'postgres' && database.superuser
      ? [
          warning(
            'database user',
            'the user of DATABASE_URL is a superuser',
            'Use an owner of the database with CREATEROLE instead.',
          ),
        ]
      : [];
  return [
    ...databaseUser,
    row?.privileged
      ? failed(
          'roles',
          `${row.privileged} can bypass row level security`,
          'alter role … nosuperuser nobypassrls',
        )
      : ok('roles', 'API roles cannot bypass row level security'),
    row?.unprotected
      ? failed(
          'policies',
          `row level security is not forced on ${row.unprotected}`,
          'alter table … enable row level security, force row level security',
        )
      : ok('policies', 'row level security is forced on all tables of the schema public'),
  ];
}

/** Requires all migrations. */
async function checkAdministrators(database: Database): Promise<CheckResult> {
  const [row] = await database.query<{ administrators: number }>(
    sql`select count(*)::int as administrators from private.active_administrators`,
  );
  const count = row?.administrators ?? 0;
  return count === 0
    ? warning('administrators', 'no administrator', 'Start the service to print a link for the first one.')
    : ok('administrators', `${count} with the role platform_admin`);
}
