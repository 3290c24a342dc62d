/**
 * Copies the directory of a running database in two steps: all files while statements run, then the changes while none
 * runs. File systems with copy-on-write share the blocks.
 */
import fs from 'node:fs';
import path from 'node:path';
import { OperationalError } from '../errors.ts';
import { readFreeBytes } from './free-space.ts';

/** Files by relative name, ordered so that a directory precedes its content. */
type Listing = ReadonlyMap<string, fs.BigIntStats>;

/** Bytes that must remain free, for the write-ahead log of the running database. */
const reservedBytes = 256 * 1_048_576;

/** Coarsest timestamp resolution of the supported file systems, in nanoseconds. */
const maxResolutionNs = 2_000_000_000n;

const walDirectory = 'pg_wal';
const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(path.basename(name));
const isWal = (name: string): boolean => path.dirname(name) === walDirectory && isSegment(name);

/**
 * Copies all files except the write-ahead log. The copy is inconsistent until the returned function has been called.
 *
 * @returns a function that completes the copy while nothing writes; `firstSegment` is the name of the oldest
 *   write-ahead log file that recovery needs
 * @throws OperationalError if there is not enough disk space for the copy
 */
export async function startCopy(from: string, to: string): Promise<(firstSegment: string) => Promise<void>> {
  const first = list(from);
  requireSpace(from, first);
  fs.mkdirSync(to, { mode: 0o700 });
  // The modification times of the files come from the clock of the file system.
  const startedAt = fs.statSync(to, { bigint: true }).mtimeNs;
  for (const [name, stats] of first) {
    if (stats.isDirectory()) fs.mkdirSync(path.join(to, name), { mode: 0o700 });
    else if (!isWal(name)) await copyFile(path.join(from, name), path.join(to, name));
  }
  return async (firstSegment) => {
    const last = list(from);
    for (const name of first.keys())
      if (!last.has(name)) fs.rmSync(path.join(to, name), { recursive: true, force: true });
    for (const [name, stats] of last) {
      const target = path.join(to, name);
      if (stats.isDirectory()) fs.mkdirSync(target, { recursive: true, mode: 0o700 });
      else if (isWal(name) ? path.basename(name) >= firstSegment : isNewer(stats, first.get(name), startedAt))
        await copyFile(path.join(from, name), target);
    }
  };
}

function isNewer(stats: fs.BigIntStats, before: fs.BigIntStats | undefined, startedAt: bigint): boolean {
  return (
    before?.mtimeNs !== stats.mtimeNs ||
    before.size !== stats.size ||
    stats.mtimeNs > startedAt - maxResolutionNs
  );
}

function list(directory: string): Listing {
  const found = new Map<string, fs.BigIntStats>();
  for (const name of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const stats = fs.statSync(path.join(directory, name), { bigint: true, throwIfNoEntry: false });
    if (stats) found.set(name, stats);
  }
  return found;
}

/** Codes of a full disk, an exhausted quota and a limit of the size of a file. `requireSpace` finds only the first. */
const spaceCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

async function copyFile(from: string, to: string): Promise<void> {
  try {
    await fs.promises.copyFile(from, to, fs.constants.COPYFILE_FICLONE);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Postgres has deleted the file. The second step deletes it from the copy.
    if (code === 'ENOENT') return;
    if (!spaceCodes.has(code)) throw error;
    throw new OperationalError(
      `A backup of the running service cannot write its copy of the database to DATA_DIR (${code}). ` +
        'Free disk space or increase the quota, or stop the service and run the command again.',
      { cause: error },
    );
  }
}

/** @throws OperationalError if there is not enough disk space for a copy of the directory */
export function requireSpace(from: string, files: Listing = list(from)): void {
  const free = readFreeBytes(from);
  let neededBytes = reservedBytes;
  for (const [name, { size }] of files) if (!isWal(name)) neededBytes += Number(size);
  if (free === null || free >= neededBytes) return;
  const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MiB`;
  throw new OperationalError(
    `A backup of the running service needs ${mebibytes(neededBytes)} in DATA_DIR for a copy of the database; ` +
      `${mebibytes(free)} are free. Free disk space, or stop the service and run the command again.`,
  );
}

/** Disk usage of a data directory, in bytes. */
export interface DirectorySizes {
  readonly database: number;
  readonly wal: number;
}

/** Reads the file sizes. Does not need the engine. */
export function readDirectorySizes(directory: string): DirectorySizes {
  let [database, wal] = [0, 0];
  for (const [name, stats] of list(directory)) {
    if (isWal(name)) wal += Number(stats.size);
    else if (stats.isFile()) database += Number(stats.size);
  }
  return { database, wal };
}
