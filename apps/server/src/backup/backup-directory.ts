/** The files of BACKUP_DIR. Only files with the names that the service gives are read or deleted. */
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { readBackup } from './read-backup.ts';

const namePattern = /^lanternrock-\d{8}T\d{6}Z\.backup$/;
const unfinishedSuffix = '.unfinished';

/** Returns a name that sorts by time, for example `lanternrock-20261127T030000Z.backup`. */
export const toFileName = (at: Date): string =>
  `lanternrock-${at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.backup`;

interface WrittenFile {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Writes a file, reads it again to check that it is complete, and only then gives it its name. After an error, the directory
 * has the files that it had before.
 *
 * @param directory must exist: a volume that is not mounted must not be replaced by a directory
 * @throws OperationalError if the written file is not complete
 */
export async function writeBackupFile(
  directory: string,
  name: string,
  write: (output: Writable) => Promise<unknown>,
): Promise<WrittenFile> {
  const file = path.join(directory, name);
  const unfinished = `${file}${unfinishedSuffix}`;
  const output = (await fs.open(unfinished, 'wx', 0o600)).createWriteStream();
  // `write` reports the error of a stream that it uses.
  output.on('error', () => {});
  try {
    await write(output);
    const { size } = await synchronize(unfinished);
    await readBackup({ name: unfinished, read: () => createReadStream(unfinished) });
    await fs.rename(unfinished, file);
    await synchronize(directory).catch(() => {});
    return { name, bytes: size };
  } catch (error) {
    output.destroy();
    await fs.rm(unfinished, { force: true });
    throw error;
  }
}

/** Makes the file durable, and returns its properties. */
async function synchronize(file: string): Promise<{ readonly size: number }> {
  const handle = await fs.open(file, 'r');
  try {
    await handle.sync();
    return await handle.stat();
  } finally {
    await handle.close();
  }
}

/** Deletes files that a killed process has left. Call it only while no other replica writes. */
export async function removeUnfinishedFiles(directory: string): Promise<void> {
  for (const name of await fs.readdir(directory))
    if (name.endsWith(unfinishedSuffix) && namePattern.test(name.slice(0, -unfinishedSuffix.length)))
      await fs.rm(path.join(directory, name), { force: true });
}

/**
 * Deletes the oldest files until `keep` are left.
 *
 * @returns the names of the deleted files
 */
export async function removeOldFiles(directory: string, keep: number): Promise<string[]> {
  const names = (await fs.readdir(directory)).filter((name) => namePattern.test(name)).sort();
  const removed = names.slice(0, Math.max(0, names.length - keep));
  for (const name of removed) await fs.rm(path.join(directory, name), { force: true });
  return removed;
}
