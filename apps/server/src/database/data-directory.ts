/** The data directory: creates it, checks it, and explains the errors of its file system. */
import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { toDatabaseDirectory, toVersionFile } from '@lanternrock/postgres/database-paths';
import { embeddedMajor } from '@lanternrock/postgres/embedded';
import { readFreeBytes } from '@lanternrock/postgres/free-space';
import { OperationalError } from '@lanternrock/postgres/errors';
import { toErrorMessage } from '../errors.ts';
import { checkFilePermissions } from '../file-permissions.ts';

/**
 * Creates the directory.
 *
 * @throws OperationalError if it is not writable or has another owner
 */
export function prepareDirectory(directory: string, log: Logger): void {
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

const locateVersionFile = (dataDir: string): string => toVersionFile(toDatabaseDirectory(dataDir));

/** @throws OperationalError if the directory contains no database */
export function requireInitialized(dataDir: string): void {
  if (fs.existsSync(locateVersionFile(dataDir))) return;
  requireNoLostDatabase(dataDir);
  throw new OperationalError(
    `No database in ${dataDir}. Set DATA_DIR to the directory of an instance, or run "lanternrock start" to create one.`,
  );
}

/** Marks the directory of an instance with DATABASE_URL. */
const externalMarker = 'external-database';

/** Records that the data of this instance are in an external database, for the two functions below. */
export function recordExternalDatabase(dataDir: string): void {
  const file = path.join(dataDir, externalMarker);
  if (fs.existsSync(file)) return;
  try {
    fs.writeFileSync(file, 'The data of this instance are in the database of DATABASE_URL.\n', {
      mode: 0o600,
    });
  } catch {
    // A full disk must not keep the service from starting.
  }
}

/**
 * Rejects the creation of a database in the directory of an instance whose database is elsewhere. An empty instance
 * would start, and offer its first link.
 *
 * @throws OperationalError
 */
export function requireNoLostDatabase(dataDir: string): void {
  if (fs.existsSync(locateVersionFile(dataDir))) return;
  const keys = path.join(dataDir, 'keys');
  // Keys are created after the database.
  if (isFilledDirectory(keys)) {
    throw new OperationalError(
      `${keys} contains the keys of an instance, but ${toDatabaseDirectory(dataDir)} contains no database. ` +
        `If it is on another volume, mount it. If it is lost, run "lanternrock restore FILE" with a backup. ` +
        `For a new instance, remove ${keys}. Nothing was changed.`,
    );
  }
  const marker = path.join(dataDir, externalMarker);
  if (!fs.existsSync(marker)) return;
  throw new OperationalError(
    `The instance of ${dataDir} uses an external database, but DATABASE_URL is not set: the file with its settings ` +
      `may be missing. Set DATABASE_URL. For a new instance with an embedded database, remove ${marker}. ` +
      `Nothing was changed.`,
  );
}

/**
 * Rejects the creation of an instance in a database of DATABASE_URL without tables if an earlier start used one that had
 * them: the volume of the server is lost or not mounted, or DATABASE_URL leads to another database.
 *
 * @param place the database, for the message
 * @throws OperationalError
 */
export function requireNoLostExternalDatabase(dataDir: string, place: string): void {
  const marker = path.join(dataDir, externalMarker);
  if (!fs.existsSync(marker)) return;
  throw new OperationalError(
    `${marker} shows that this instance has used an external database, but ${place} contains no instance. ` +
      `If it is the wrong database, correct DATABASE_URL. If the data are lost, run "lanternrock restore FILE" with a ` +
      `backup. For a new instance, remove ${marker}. Nothing was changed.`,
  );
}

const isFilledDirectory = (name: string): boolean =>
  fs.existsSync(name) && fs.statSync(name).isDirectory() && fs.readdirSync(name).length > 0;

/** Fixes by error code of the file system. */
const fixes: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free disk space.',
  EDQUOT: 'The disk quota of this user is exhausted. Free disk space or increase the quota.',
  EROFS: 'The file system is read-only. Mount it writable.',
  EACCES: 'Run as its owner, or change the owner with chown.',
  EPERM: 'Run as its owner, or change the owner with chown.',
};

/** An error of the file system, with the fix. */
export const cannotWrite = (directory: string, error: unknown): OperationalError => {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const fix = fixes[code] ?? 'Set DATA_DIR to another directory.';
  return new OperationalError(`Cannot write to DATA_DIR ${directory} (${code}). ${fix}`, {
    cause: error,
  });
};

/** Free space that the engine needs to extend its write-ahead log. */
const minFreeMebibytes = 64;

/** Adds the free disk space, because messages of the engine rarely mention a full disk, the most frequent cause. */
export function openFailed(directory: string, error: unknown): OperationalError {
  if (error instanceof OperationalError) return error;
  const bytes = readFreeBytes(directory);
  const free = bytes === null ? Number.POSITIVE_INFINITY : Math.floor(bytes / 1_048_576);
  const fix =
    free < minFreeMebibytes
      ? 'Free disk space and start again.'
      : 'If it fails again, restore the latest backup into an empty DATA_DIR.';
  const space = bytes === null ? 'unknown free space' : `${free} MiB free`;
  return new OperationalError(`${toErrorMessage(error)} (DATA_DIR ${directory}, ${space}) ${fix}`, {
    cause: error,
  });
}

/**
 * Checks the Postgres version of an existing database, because the engine fails without a clear message.
 *
 * @throws OperationalError
 */
export function requireSupportedVersion(dataDir: string): void {
  const file = locateVersionFile(dataDir);
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
