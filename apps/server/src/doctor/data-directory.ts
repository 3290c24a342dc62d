/** Checks free space and permissions of the data directory. */
import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/settings.ts';
import { checkFilePermissions } from '../file-permissions.ts';
import { toErrorMessage } from '../errors.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';

const mebibyte = 1_048_576;
/** Postgres allocates its write-ahead log in segments of 16 MiB; with less than four of them, writes can fail. */
const minFreeBytes = 64 * mebibyte;
const recommendedFreeBytes = 1024 * mebibyte;

export function checkDataDir({ DATA_DIR: directory }: Config): CheckResult[] {
  try {
    const { bavail, bsize } = fs.statfsSync(directory);
    const free = bavail * bsize;
    const message = `${Math.floor(free / mebibyte)} MiB free in ${directory}`;
    const space =
      free < minFreeBytes
        ? failed('disk', message, 'Free disk space: writes can fail below 64 MiB.')
        : free < recommendedFreeBytes
          ? warning('disk', message, 'Free disk space soon, or move DATA_DIR.')
          : ok('disk', message);
    return [space, checkPermissions(directory)];
  } catch (error) {
    return [
      failed(
        'disk',
        `DATA_DIR cannot be read: ${toErrorMessage(error)}`,
        'Set DATA_DIR to a directory that this user can read.',
      ),
    ];
  }
}

/** Checks that DATA_DIR and the keys belong to this user or to root, and that no other user can read or write them. */
function checkPermissions(directory: string): CheckResult {
  let checked: readonly FileStatus[];
  try {
    checked = readFileStatuses(directory);
  } catch (error) {
    return failed(
      'files',
      `the permissions cannot be read: ${toErrorMessage(error)}`,
      'Run the command as the user of the service.',
    );
  }
  const names = (entries: readonly FileStatus[]): string => entries.map(({ file }) => file).join(', ');
  const otherOwner = checked.filter(({ uid, mode }) => checkFilePermissions(uid, mode).otherOwner);
  if (otherOwner.length > 0) {
    return failed(
      'files',
      `${names(otherOwner)}: the owner is user ${otherOwner[0]?.uid}, not the user of this command`,
      `Run the command as the user of the service. If that is this user, run as root: chown -R USER ${directory}`,
    );
  }
  const writable = checked.filter(({ uid, mode }) => checkFilePermissions(uid, mode).writableByOthers);
  if (writable.length > 0)
    return warning('files', `other users can write ${names(writable)}`, `chmod -R go= ${directory}`);
  const readable = checked.filter(({ mode }) => (mode & 0o077) !== 0);
  return readable.length === 0
    ? ok('files', 'only the owner can read the data directory and the keys')
    : warning('files', `other users can read ${names(readable)}`, `chmod -R go= ${directory}`);
}

interface FileStatus {
  readonly file: string;
  readonly uid: number;
  readonly mode: number;
}

/** Returns the status of DATA_DIR and of its keys. */
function readFileStatuses(directory: string): FileStatus[] {
  const keys = path.join(directory, 'keys');
  // Unlike `existsSync`, this throws if the user may not list the directory.
  const names = fs.readdirSync(directory).includes('keys') ? fs.readdirSync(keys) : [];
  return [directory, ...names.map((name) => path.join(keys, name))].map((file) => {
    const { uid, mode } = fs.statSync(file);
    return { file, uid, mode };
  });
}
