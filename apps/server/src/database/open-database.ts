/** Opens the configured database without migrating it. */
import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import { embeddedMajor, openEmbedded, type EmbeddedOptions } from '@lanternrock/postgres/embedded';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { openExternal } from '@lanternrock/postgres/external';
import { directoryInUse, lockDirectory } from '@lanternrock/postgres/lock';
import type { Config } from '../config/settings.ts';
import { checkFilePermissions } from '../file-permissions.ts';
import { postgresSupportWarning } from '../config/end-of-life.ts';
import { bundlePath } from '../paths.ts';
import { findService, openControlSocket, type ControlSocket } from './control-socket.ts';

export interface OpenDatabaseOptions {
  /** Fails if there is no database: a command in the wrong directory must not create one. */
  readonly mustExist?: boolean;
}

export interface OpenedDatabase {
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
  { mustExist = false }: OpenDatabaseOptions = {},
): Promise<OpenedDatabase> {
  const onConnectionError = (error: Error): void => log.warn({ err: error }, 'database connection lost');
  if (mustExist) requireEmbedded(config);
  if (!mustExist || !config.DATABASE_URL) prepareDirectory(config.DATA_DIR, log);
  if (config.DATABASE_URL) {
    const database = await openExternal({
      url: config.DATABASE_URL,
      poolSize: config.DATABASE_POOL,
      connectionTimeoutMs: config.DATABASE_WAIT,
      resultTimeoutMs: config.STATEMENT_TIMEOUT + 2000,
      onConnectionError,
    }).catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      throw new OperationalError(`The database of DATABASE_URL is unavailable: ${error.message}`, {
        cause: error,
      });
    });
    if (database.pooling === 'transaction') log.warn(transactionPooling);
    const supportWarning = postgresSupportWarning(database.version, new Date());
    if (supportWarning) log.warn(supportWarning);
    if (database.superuser)
      log.warn('the user of DATABASE_URL is a superuser; use an owner with CREATEROLE instead');
    return { database, control: null, close: database.close };
  }
  const { control, release } = await lockDataDir(config.DATA_DIR, log).catch((error: unknown) => {
    throw error instanceof OperationalError ? error : cannotWrite(config.DATA_DIR, error);
  });
  try {
    requireReadable(config.DATA_DIR);
    const resultTimeoutMs = config.STATEMENT_TIMEOUT + 1000;
    const onPause: EmbeddedOptions['onPause'] = (reason, durationMs, table) =>
      log[reason === 'checkpoint' ? 'debug' : 'info']({ reason, durationMs, table }, 'database paused');
    const database = await openEmbedded({
      dataDir: config.DATA_DIR,
      workerFile: bundlePath('database-worker'),
      resultTimeoutMs,
      onConnectionError,
      onPause,
    });
    const close = async (): Promise<void> => {
      await database.close();
      await release();
    };
    return { database, control, close };
  } catch (error) {
    await release();
    throw openFailed(config.DATA_DIR, error);
  }
}

/** Makes this process the owner of the directory: no other process opens it, and commands are sent to this one. */
async function lockDataDir(
  dataDir: string,
  log: Logger,
): Promise<{ control: ControlSocket; release: () => Promise<void> }> {
  // Checked first, because a service whose lock was deleted exits if another process acquires it.
  const service = await findService(dataDir);
  if (service !== null) throw directoryInUse(dataDir, service);
  const lock = await lockDirectory(dataDir, {
    onLost: () => {
      log.fatal('another process owns DATA_DIR; exiting to prevent data loss');
      process.exit(1);
    },
    onError: (error) => log.warn({ err: error }, 'the lock of DATA_DIR cannot be renewed'),
  });
  try {
    const control = await openControlSocket(dataDir, (error) =>
      log.warn({ err: error }, 'the control socket in DATA_DIR cannot be recreated'),
    );
    const release = async (): Promise<void> => {
      await control.close();
      lock.release();
    };
    return { control, release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** See "Connection poolers" in docs/operations.md. */
const transactionPooling =
  'DATABASE_URL points to a pooler in transaction mode: requests, migrations and cancellation work, notifications do not; key changes of other replicas are read within a minute, and schema changes when an unknown name is requested';

function requireEmbedded({ DATABASE_URL, DATA_DIR }: Config): void {
  // The last file that Postgres writes when it creates a data directory.
  if (DATABASE_URL || fs.existsSync(path.join(DATA_DIR, 'database', 'PG_VERSION'))) return;
  throw new OperationalError(
    `No database in ${DATA_DIR}. Set DATA_DIR to the directory of an instance, or run "lanternrock start" to create one.`,
  );
}

/** Fixes by error code of the file system. */
const fixes: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free disk space.',
  EDQUOT: 'The disk quota of this user is exhausted. Free disk space or increase the quota.',
  EROFS: 'The file system is read-only. Mount it writable.',
  EACCES: 'Run as its owner, or change the owner with chown.',
  EPERM: 'Run as its owner, or change the owner with chown.',
};

const cannotWrite = (directory: string, error: unknown): OperationalError => {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const fix = fixes[code] ?? 'Set DATA_DIR to another directory.';
  return new OperationalError(`Cannot write to DATA_DIR ${directory} (${code}). ${fix}`, {
    cause: error,
  });
};

/** Free space that the engine needs to extend its write-ahead log. */
const minFreeMebibytes = 64;

/** Adds the free disk space, because messages of the engine rarely mention a full disk, the most frequent cause. */
function openFailed(directory: string, error: unknown): OperationalError {
  if (error instanceof OperationalError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const { bavail, bsize } = fs.statfsSync(directory);
  const free = Math.floor((bavail * bsize) / 1_048_576);
  const fix =
    free < minFreeMebibytes
      ? 'Free disk space and start again.'
      : 'If it fails again, restore the latest backup into an empty DATA_DIR.';
  return new OperationalError(`${message} (DATA_DIR ${directory}, ${free} MiB free) ${fix}`, {
    cause: error,
  });
}

/**
 * Checks the Postgres version of an existing database, because the engine fails without a clear message.
 *
 * @throws OperationalError
 */
function requireReadable(dataDir: string): void {
  const file = path.join(dataDir, 'database', 'PG_VERSION');
  if (!fs.existsSync(file)) return;
  const text = fs.readFileSync(file, 'utf8').trim();
  if (text === String(embeddedMajor)) return;
  if (!/^\d{2}$/.test(text)) {
    throw new OperationalError(
      `The database in ${dataDir} is damaged: ${file} must contain ${embeddedMajor}. ` +
        `Restore the latest backup into an empty DATA_DIR.`,
    );
  }
  const age = Number(text) > embeddedMajor ? 'newer' : 'older';
  throw new OperationalError(
    `The database in ${dataDir} was created by Postgres ${text}, but this version contains Postgres ${embeddedMajor}. ` +
      `Start the ${age} version of this product that created it, ` +
      `or restore a backup of this version into an empty DATA_DIR.`,
  );
}

/**
 * Creates a directory and its parents. Node's recursive `mkdirSync` does not terminate in file systems that report
 * ENOENT although the parent exists, such as /proc.
 */
function createDirectory(directory: string): void {
  if (fs.existsSync(directory)) return;
  createDirectory(path.dirname(directory));
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // A concurrent start created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** @throws OperationalError if the directory is not writable or has another owner */
function prepareDirectory(directory: string, log: Logger): void {
  try {
    createDirectory(directory);
    fs.accessSync(directory, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw cannotWrite(directory, error);
  }
  const { uid, mode } = fs.statSync(directory);
  const { otherOwner, writableByOthers } = checkFilePermissions(uid, mode);
  if (otherOwner) {
    throw new OperationalError(
      `DATA_DIR ${directory} is owned by another user (${uid}). Run as that user, or change the owner with chown.`,
    );
  }
  if (writableByOthers) log.warn({ directory }, 'other users can write to DATA_DIR; run chmod go-w on it');
}
