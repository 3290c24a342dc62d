/** Opens the database that the configuration names, as it is. */
import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import { embeddedMajor, openEmbedded, type EmbeddedOptions } from '@lanternrock/postgres/embedded';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { openExternal } from '@lanternrock/postgres/external';
import { lockDirectory, type DirectoryLock } from '@lanternrock/postgres/lock';
import type { Config } from '../config/settings.ts';
import { checkFilePermissions } from '../file-permissions.ts';
import { postgresSupportWarning } from '../config/end-of-life.ts';
import { bundlePath } from '../paths.ts';

export interface OpenDatabaseOptions {
  /** Refuses to make what is not there yet: a command typed in the wrong folder must leave nothing behind. */
  readonly mustExist?: boolean;
}

export interface OpenedDatabase {
  readonly database: Database;
  /** Null with DATABASE_URL. */
  readonly lock: DirectoryLock | null;
  /** Ends the connections, then gives the lock back. */
  readonly close: () => Promise<void>;
}

/** @throws OperationalError with one clear line for what an operator can mend. */
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
      waitLimit: config.DATABASE_WAIT,
      answerLimit: config.STATEMENT_TIMEOUT + 2000,
      onConnectionError,
    }).catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      throw new OperationalError(`The database of DATABASE_URL does not answer: ${error.message}`, {
        cause: error,
      });
    });
    if (database.pooling === 'transaction') log.warn(transactionPooling);
    const old = postgresSupportWarning(database.version, new Date());
    if (old) log.warn(old);
    if (database.superuser)
      log.warn('DATABASE_URL logs in as a superuser; an owner with CREATEROLE is enough');
    return { database, lock: null, close: database.close };
  }
  const lock = await lockDirectory(config.DATA_DIR, {
    onLost: () => {
      log.fatal('another process owns DATA_DIR now; ending at once, before rows are lost');
      process.exit(1);
    },
    onProblem: (error) => log.warn({ err: error }, 'the socket in DATA_DIR cannot be made again'),
  }).catch((error: unknown) => {
    throw error instanceof OperationalError ? error : cannotWrite(config.DATA_DIR, error);
  });
  try {
    requireReadable(config.DATA_DIR);
    const answerLimit = config.STATEMENT_TIMEOUT + 1000;
    const onPause: EmbeddedOptions['onPause'] = (reason, durationMs, table) =>
      log[reason === 'checkpoint' ? 'debug' : 'info']({ reason, durationMs, table }, 'database paused');
    const database = await openEmbedded({
      dataDir: config.DATA_DIR,
      workerFile: bundlePath('database-worker'),
      answerLimit,
      onConnectionError,
      onPause,
    });
    const close = async (): Promise<void> => {
      await database.close();
      await lock.release();
    };
    return { database, lock, close };
  } catch (error) {
    await lock.release();
    throw doesNotOpen(config.DATA_DIR, error);
  }
}

/** What a pooler in transaction mode takes away; docs/operations.md says more. */
const transactionPooling =
  'DATABASE_URL leads to a pooler in transaction mode: requests, migrations and cancellation work; notifications do not, so key changes of other copies are read within a minute and table changes when an unknown name is requested';

function requireEmbedded({ DATABASE_URL, DATA_DIR }: Config): void {
  // The file that Postgres writes last when it makes its folder.
  if (DATABASE_URL || fs.existsSync(path.join(DATA_DIR, 'database', 'PG_VERSION'))) return;
  throw new OperationalError(
    `There is no database in ${DATA_DIR}. Set DATA_DIR to the folder of an instance; the first start makes one.`,
  );
}

/** What to do where it is not another directory. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free space on it.',
  EDQUOT: 'The disk quota of this user is used up. Free space, or raise the quota.',
  EROFS: 'The file system is read-only. Mount it writable.',
  EACCES: 'Run as the user who owns it, or chown it.',
  EPERM: 'Run as the user who owns it, or chown it.',
};

const cannotWrite = (directory: string, error: unknown): OperationalError => {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const remedy = remedies[code] ?? 'Set DATA_DIR to another directory.';
  return new OperationalError(`DATA_DIR ${directory} cannot be written (${code}). ${remedy}`, {
    cause: error,
  });
};

/** Below this the engine cannot add a file to its write-ahead log. MiB. */
const minFreeSpace = 64;

/** The engine's own words seldom name the usual cause, a full disk. */
function doesNotOpen(directory: string, error: unknown): OperationalError {
  if (error instanceof OperationalError) return error;
  const words = error instanceof Error ? error.message : String(error);
  const { bavail, bsize } = fs.statfsSync(directory);
  const free = Math.floor((bavail * bsize) / 1_048_576);
  const remedy =
    free < minFreeSpace
      ? 'Free space on the disk, then start again.'
      : 'If it fails again, restore the latest backup into an empty DATA_DIR.';
  return new OperationalError(`${words} (DATA_DIR ${directory}, ${free} MiB free) ${remedy}`, {
    cause: error,
  });
}

/**
 * Checks the version of an existing database before the engine, which only fails, opens it.
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
    `The database in ${dataDir} was created by Postgres ${text}, this version contains Postgres ${embeddedMajor}. ` +
      `Start the ${age} version of this product that created it, ` +
      `or restore a backup of this version into an empty DATA_DIR.`,
  );
}

/**
 * Makes a folder with those above it. Node's own recursive call never ends where the system says that nothing is
 * there although the folder above is, as in /proc.
 */
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Somebody else who starts was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** @throws OperationalError where nothing can be written, or where another user owns what is kept there. */
function prepareDirectory(directory: string, log: Logger): void {
  try {
    makeFolder(directory);
    fs.accessSync(directory, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw cannotWrite(directory, error);
  }
  const { uid, mode } = fs.statSync(directory);
  const { otherOwner, writableByOthers } = checkFilePermissions(uid, mode);
  if (otherOwner) {
    throw new OperationalError(
      `DATA_DIR ${directory} belongs to another user (${uid}), who could replace what is kept in it. Run as that user, or chown it.`,
    );
  }
  if (writableByOthers) log.warn({ directory }, 'other users may write into DATA_DIR; chmod go-w it');
}
