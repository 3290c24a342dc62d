/** Opens the configured database without migrating it. */
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import { openEmbedded } from '@lanternrock/postgres/embedded';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { openExternal } from '@lanternrock/postgres/external';
import type { Config } from '../config/settings.ts';
import { findPostgresSupportWarning } from '../config/end-of-life.ts';
import { bundlePath } from '../paths.ts';
import {
  cannotWrite,
  openFailed,
  prepareDirectory,
  requireInitialized,
  requireNoLostDatabase,
  requireSupportedVersion,
} from './data-directory.ts';
import type { ControlSocket } from './control-socket.ts';
import { lockDataDir } from './lock-data-dir.ts';

export interface OpenDatabaseOptions {
  /** Fails if there is no database: a command in the wrong directory must not create one. */
  readonly mustExist?: boolean;
  /** Creates a database also if an earlier one of this instance is missing, for a restore. */
  readonly replacesLost?: boolean;
}

interface OpenedDatabase {
  readonly database: Database;
  /** Null with DATABASE_URL. */
  readonly control: ControlSocket | null;
  /** Closes the connections, then releases the lock of the data directory. */
  readonly close: () => Promise<void>;
}

/** @throws OperationalError if the database cannot be opened */
export async function openDatabase(
  config: Config,
  log: Logger,
  { mustExist = false, replacesLost = false }: OpenDatabaseOptions = {},
): Promise<OpenedDatabase> {
  const isExternal = config.DATABASE_URL !== '';
  if (mustExist && !isExternal) requireInitialized(config.DATA_DIR);
  if (!isExternal && !replacesLost) requireNoLostDatabase(config.DATA_DIR);
  // A service with DATABASE_URL also writes there, for example captured emails.
  if (!mustExist || !isExternal) prepareDirectory(config.DATA_DIR, log);
  const onConnectionError = logOncePer(connectionLogIntervalMs, (error) =>
    log.warn({ err: error }, 'database connection lost'),
  );
  return isExternal
    ? openServer(config, log, onConnectionError)
    : openDataDir(config, log, onConnectionError);
}

/** A lost server ends all connections, and every request tries to open one. One line names each reason. */
const connectionLogIntervalMs = 30_000;

function logOncePer(intervalMs: number, write: (error: Error) => void): (error: Error) => void {
  let last = { message: '', at: Number.NEGATIVE_INFINITY };
  return (error) => {
    const at = performance.now();
    if (error.message === last.message && at - last.at < intervalMs) return;
    last = { message: error.message, at };
    write(error);
  };
}

/** Fixes by prefix of the SQLSTATE of a connection that the server rejected. */
const connectionFixes: Readonly<Record<string, string>> = {
  28: 'Check user and password in DATABASE_URL.',
  '3D': 'Check the name of the database in DATABASE_URL, or create it.',
  53300: 'Decrease DATABASE_POOL, or allow more connections.',
};

async function openServer(
  config: Config,
  log: Logger,
  onConnectionError: (error: Error) => void,
): Promise<OpenedDatabase> {
  // A failure to open is thrown, and not logged as well.
  let isOpen = false;
  const database = await openExternal({
    url: config.DATABASE_URL,
    applicationName: 'lanternrock',
    poolSize: config.DATABASE_POOL,
    connectionTimeoutMs: config.DATABASE_WAIT,
    resultTimeoutMs: config.STATEMENT_TIMEOUT + 2000,
    onConnectionError: (error) => {
      if (isOpen) onConnectionError(error);
    },
    onReadOnly: (reason) => {
      if (reason) log.error({ reason }, 'the database refuses writes');
      else log.info('the database accepts writes again');
    },
  }).catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    const { code = '' } = (error.cause ?? {}) as { readonly code?: string };
    const fix = Object.entries(connectionFixes).find(([prefix]) => code.startsWith(prefix));
    const message = `The database of DATABASE_URL is unavailable: ${error.message}`;
    throw new OperationalError(fix ? `${message}. ${fix[1]}` : message, { cause: error });
  });
  isOpen = true;
  if (database.pooling === 'transaction') log.warn(transactionPooling);
  const supportWarning = findPostgresSupportWarning(database.version, new Date());
  if (supportWarning) log.warn(supportWarning);
  if (database.superuser)
    log.warn('the user of DATABASE_URL is a superuser; use an owner with CREATEROLE instead');
  return { database, control: null, close: database.close };
}

async function openDataDir(
  config: Config,
  log: Logger,
  onConnectionError: (error: Error) => void,
): Promise<OpenedDatabase> {
  const { DATA_DIR: dataDir } = config;
  const { control, release } = await lockDataDir(dataDir, log).catch((error: unknown) => {
    throw error instanceof OperationalError ? error : cannotWrite(dataDir, error);
  });
  try {
    requireSupportedVersion(dataDir);
    const database = await openEmbedded({
      dataDir,
      workerFile: bundlePath('database-worker'),
      resultTimeoutMs: config.STATEMENT_TIMEOUT + 1000,
      onConnectionError,
      onPause: (reason, durationMs, table) =>
        log[reason === 'checkpoint' ? 'debug' : 'info']({ reason, durationMs, table }, 'database paused'),
    });
    const close = async (): Promise<void> => {
      await database.close();
      await release();
    };
    return { database, control, close };
  } catch (error) {
    await release();
    throw openFailed(dataDir, error);
  }
}

/** See "Connection poolers" in docs/operations.md. */
const transactionPooling =
  'DATABASE_URL points to a pooler in transaction mode: requests, migrations and cancellation work, notifications do not; key changes of other replicas are read within a minute, and schema changes when an unknown name is requested';
