/** The database: version, settings, migrations, roles. Reads only. */
import { type Database, sql } from '@lanternrock/postgres';
import { readMigrations, readMigrationState, type MigrationState } from '@lanternrock/postgres/migrations';
import type { Config } from '../config/settings.ts';
import { postgresSupportWarning } from '../config/end-of-life.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';
import { migrationFolders } from '../paths.ts';

export async function checkDatabase(database: Database, config: Config, now: Date): Promise<CheckResult[]> {
  const findings = [
    checkVersion(database, now),
    ...checkSizes(database),
    ...(await checkSettings(database, config)),
  ];
  // Somebody else's database has migrations, roles and people of its own.
  if (!config.MIGRATE) return findings;
  const state = await readMigrationState(database, readMigrations(migrationFolders));
  findings.push(checkMigrations(state), ...(await checkRoles(database)));
  return state.missing.length > 0 ? findings : [...findings, await checkPeople(database)];
}

function checkVersion({ engine, version }: Database, now: Date): CheckResult {
  const told = `${engine === 'embedded' ? 'embedded Postgres' : 'Postgres'} ${Math.floor(version / 10_000)}.${version % 10_000}`;
  // The embedded engine comes with the product and is updated with it.
  const problem = engine === 'embedded' ? null : postgresSupportWarning(version, now);
  return problem ? warning('database', problem, 'Update Postgres.') : ok('database', told);
}

const mebibyte = 1_048_576;
/** The service keeps the log of the embedded engine below this size, except during a single large change. */
const maxWalBytes = 128 * mebibyte;

/** Only the embedded engine reports its sizes. */
function checkSizes({ sizes }: Database): CheckResult[] {
  if (!sizes) return [];
  const { database, wal } = sizes();
  const found = `database ${Math.ceil(database / mebibyte)} MiB, write-ahead log ${Math.ceil(wal / mebibyte)} MiB`;
  const advice =
    'A single large change makes the log grow; start the service, which shortens it within seconds.';
  return [wal > maxWalBytes ? warning('size', found, advice) : ok('size', found)];
}

async function checkSettings(database: Database, config: Config): Promise<CheckResult[]> {
  const [row] = await database.query<{
    fsync: string;
    commit: string;
    pages: string;
    encoding: string;
    timezone: string;
    most: number;
    extensions: string;
  }>(
    sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
               current_setting('full_page_writes') as pages, current_setting('server_encoding') as encoding,
               current_setting('TimeZone') as timezone,
               current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
               (select string_agg(extname, ', ' order by extname) from pg_catalog.pg_extension) as extensions`,
  );
  if (!row) return [];
  const durable = row.fsync === 'on' && row.commit !== 'off' && row.pages === 'on';
  const facts = `fsync ${row.fsync}, synchronous_commit ${row.commit}, full_page_writes ${row.pages}`;
  const findings = [
    durable
      ? ok('durability', facts)
      : failed('durability', facts, 'Switch them on: a power cut may lose acknowledged rows.'),
    row.encoding === 'UTF8'
      ? ok('encoding', `UTF8, time zone ${row.timezone}, extensions ${row.extensions}`)
      : failed('encoding', row.encoding, 'Create the database with encoding UTF8.'),
  ];
  if (database.engine === 'postgres') {
    const told = `${config.DATABASE_POOL} of ${row.most} connections`;
    findings.push(
      config.DATABASE_POOL > row.most
        ? failed('connections', told, 'Lower DATABASE_POOL or raise max_connections.')
        : config.DATABASE_POOL * 2 > row.most
          ? warning('connections', told, 'A second copy of the service would not fit: raise max_connections.')
          : ok('connections', told),
    );
  }
  return findings;
}

function checkMigrations({ missing, unknown, changed }: MigrationState): CheckResult {
  if (unknown.length > 0)
    return failed(
      'migrations',
      `unknown here: ${unknown.join(', ')}`,
      'Start the newer version that made them.',
    );
  if (changed.length > 0)
    return failed(
      'migrations',
      `differ from the applied ones: ${changed.join(', ')}`,
      'Restore these files.',
    );
  if (missing.length > 0)
    return warning(
      'migrations',
      `${missing.length} are not applied yet`,
      'lanternrock migrate, or the next start.',
    );
  return ok('migrations', 'up to date');
}

async function checkRoles(database: Database): Promise<CheckResult[]> {
  const [row] = await database.query<{ strong: string | null; open: string | null }>(
    sql`select (select string_agg(rolname, ', ') from pg_catalog.pg_roles
                 where rolname in ('anon', 'authenticated', 'authenticator') and (rolsuper or rolbypassrls)) as strong,
               (select string_agg(c.relname, ', ') from pg_catalog.pg_class c
                 where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')
                   and not (c.relrowsecurity and c.relforcerowsecurity)) as open`,
  );
  const login =
    database.engine === 'postgres' && database.superuser
      ? [warning('login', 'DATABASE_URL logs in as a superuser', 'Use an owner with CREATEROLE instead.')]
      : [];
  return [
    ...login,
    row?.strong
      ? failed('roles', `${row.strong} may pass every policy`, 'alter role … nosuperuser nobypassrls')
      : ok('roles', 'the roles of requests are bound by the policies'),
    row?.open
      ? failed('policies', `not forced on ${row.open}`, 'alter table … enable, and force, row level security')
      : ok('policies', 'forced on every exposed table'),
  ];
}

/** Asked only where the product's tables are. */
async function checkPeople(database: Database): Promise<CheckResult> {
  const [row] = await database.query<{ administrators: number }>(
    sql`select count(*)::int as administrators from public.user_roles where role = 'platform_admin'`,
  );
  const count = row?.administrators ?? 0;
  return count === 0
    ? warning('people', 'there is no platform administrator', 'Every start prints a link for the first one.')
    : ok('people', `${count} with the role platform_admin`);
}
