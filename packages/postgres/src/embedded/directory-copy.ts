/**
 * Copies the directory of a running database in two steps: everything while statements run, then, while none
 * does, the changes since. File systems that can share blocks copy nothing.
 */
import fs from 'node:fs';
import path from 'node:path';
import { OperationalError } from '../errors.ts';

/** Relative names in an order in which a directory comes before its content. */
type Listing = ReadonlyMap<string, fs.BigIntStats>;

/** Bytes that stay free: the running database needs room for its own log. */
const reserve = 256n * 1_048_576n;

/** Some file systems round the time of a change to two seconds. Nanoseconds. */
const coarsestTime = 2_000_000_000n;

const walDirectory = 'pg_wal';
const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(path.basename(name));
const isWal = (name: string): boolean => path.dirname(name) === walDirectory && isSegment(name);

/**
 * Copies all but the write-ahead log. The result is not consistent before the returned function is called.
 * @returns brings the copy up to date while nothing writes; `firstSegment` names the oldest file of the
 *   write-ahead log that recovery needs
 * @throws OperationalError if the disk has no room for the copy
 */
export async function beginCopy(from: string, to: string): Promise<(firstSegment: string) => Promise<void>> {
  const first = list(from);
  requireSpace(from, first);
  fs.mkdirSync(to, { mode: 0o700 });
  // The clock of the file system, which also dates the files.
  const begun = fs.statSync(to, { bigint: true }).mtimeNs;
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
      else if (isWal(name) ? path.basename(name) >= firstSegment : isNewer(stats, first.get(name), begun))
        await copyFile(path.join(from, name), target);
    }
  };
}

function isNewer(stats: fs.BigIntStats, before: fs.BigIntStats | undefined, begun: bigint): boolean {
  return (
    before?.mtimeNs !== stats.mtimeNs || before.size !== stats.size || stats.mtimeNs > begun - coarsestTime
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

async function copyFile(from: string, to: string): Promise<void> {
  try {
    await fs.promises.copyFile(from, to, fs.constants.COPYFILE_FICLONE);
  } catch (error) {
    // Postgres removed it; the second step sees that.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function requireSpace(from: string, files: Listing): void {
  const { bavail, bsize } = fs.statfsSync(from, { bigint: true });
  let needed = reserve;
  for (const [name, { size }] of files) if (!isWal(name)) needed += size;
  if (bavail * bsize >= needed) return;
  const mebibytes = (bytes: bigint): string => `${bytes / 1_048_576n} MiB`;
  throw new OperationalError(
    `A backup of the running service needs ${mebibytes(needed)} in DATA_DIR for a copy of the database; ` +
      `${mebibytes(bavail * bsize)} are free. Free space, or stop the service and run the command again.`,
  );
}

/** What a data directory takes on the disk, in bytes. */
export interface DirectorySizes {
  readonly database: number;
  readonly wal: number;
}

/** Reads the sizes of the files; works also while the engine does not. */
export function directorySizes(directory: string): DirectorySizes {
  let [database, wal] = [0, 0];
  for (const [name, stats] of list(directory)) {
    if (isWal(name)) wal += Number(stats.size);
    else if (stats.isFile()) database += Number(stats.size);
  }
  return { database, wal };
}
