/**
 * Settings of a session that statements, policies and parsers of the service rely on. The database or its user can have
 * other defaults (`alter database … set`, `alter role … set`), so each connection sets them.
 */
import pg from 'pg';
import { rethrowTranslated, OperationalError, QueryError } from './errors.ts';
import type { PoolingMode } from './database.ts';

/** A pooler in transaction mode keeps these for its client, because the server reports their changes. */
const trackedByPoolers = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
};

/** Settings that a version of Postgres does not have are skipped. */
const settings: Readonly<Record<string, string>> = {
  ...trackedByPoolers,
  IntervalStyle: 'postgres',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  exit_on_error: 'off',
  extra_float_digits: '1',
  gin_fuzzy_search_limit: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  lock_timeout: '0',
  quote_all_identifiers: 'off',
  row_security: 'on',
  search_path: 'public',
  session_replication_role: 'origin',
  statement_timeout: '0',
  synchronous_commit: 'on',
  transaction_timeout: '0',
  transform_null_equals: 'off',
};

interface Setting {
  readonly name: string;
  readonly value: string;
}

const rows = (wanted: Readonly<Record<string, string>>): string =>
  Object.entries(wanted)
    .map((pair) => `(${pair.map(pg.escapeLiteral).join(', ')})`)
    .join(', ');

/** Of the values of `synchronous_commit`, only `off` is unsuitable: the others do not lose acknowledged rows. */
const isUnsuitable = `pg_catalog.current_setting(name, true) <> value
  and (name <> 'synchronous_commit' or pg_catalog.current_setting(name) = 'off')`;

const setText = (wanted: Readonly<Record<string, string>>): string =>
  `select pg_catalog.set_config(name, value, false) from (values ${rows(wanted)}) as wanted (name, value)
    where ${isUnsuitable}`;

// The first statement ends the time-out of the database, which can be too short for the other one.
const setAll = (statementTimeoutMs: number): string =>
  `set statement_timeout = 0; ${setText({ ...settings, statement_timeout: String(statementTimeoutMs) })}`;
const setTracked = `begin; set local statement_timeout = 0; ${setText(trackedByPoolers)}; commit`;

const readDifferent = `select name, pg_catalog.current_setting(name) as value
  from (values ${rows(settings)}) as wanted (name, value)
 where ${isUnsuitable}`;

/**
 * Sets what the service relies on.
 *
 * @param statementTimeoutMs maximum time of a statement that sets no other one, in milliseconds; 0 without a limit. A
 *   pooler in transaction mode does not keep it
 * @throws OperationalError naming a setting that the user must not change
 * @throws DatabaseUnavailableError
 */
export async function applySessionSettings(
  client: pg.ClientBase,
  mode: PoolingMode,
  statementTimeoutMs = 0,
): Promise<void> {
  try {
    await client
      .query(mode === 'transaction' ? setTracked : setAll(statementTimeoutMs))
      .catch(rethrowTranslated);
  } catch (error) {
    if (!(error instanceof QueryError) || error.code !== '42501') throw error;
    await refuseDifferent(client, isPrivileged, 'the user of DATABASE_URL must not change it');
    throw error;
  }
}

const isPrivileged = ({ name }: Setting): boolean => name === 'session_replication_role';

/** A search path may contain further schemas, and limits of time do not change results. */
const isLostByPoolers = ({ name, value }: Setting): boolean =>
  !(name in trackedByPoolers) &&
  !name.endsWith('_timeout') &&
  !(name === 'search_path' && /\bpublic\b/.test(value));

/**
 * Checks the settings that a pooler in transaction mode does not keep for a client.
 *
 * @throws OperationalError naming the first unsuitable one
 */
export const requireDefaults = (client: pg.ClientBase): Promise<void> =>
  refuseDifferent(client, isLostByPoolers, 'a pooler in transaction mode does not keep it for a connection');

async function refuseDifferent(
  client: pg.ClientBase,
  isRelevant: (setting: Setting) => boolean,
  reason: string,
): Promise<void> {
  const result = await client.query<Setting>(readDifferent).catch(rethrowTranslated);
  const different = result.rows.find(isRelevant);
  if (!different) return;
  const { name, value } = different;
  throw new OperationalError(
    `The database of DATABASE_URL or its user sets ${name} to "${value}". The service needs "${settings[name]}", and ${reason}. ` +
      `Run "alter database NAME reset ${name}" and "alter role USER reset ${name}", or ask the owner of the server to.`,
  );
}
