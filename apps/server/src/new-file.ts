/** Writes a file that gets its name only when it is complete. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';

/**
 * Runs `write` with a stream to a temporary file, which is renamed afterwards and removed after a failure. Concurrent
 * calls are safe, even with the same file name. Only the owner can read the file.
 *
 * @param replace overwrites an existing file; otherwise a file that appears meanwhile is kept
 * @throws OperationalError if the file cannot be written
 */
export async function writeNewFile(
  file: string,
  replace: boolean,
  write: (output: Writable) => Promise<void>,
): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  // Also removes the file if a signal ends the process while it is written.
  const remove = (): void => fs.rmSync(unfinished, { force: true });
  process.once('exit', remove);
  try {
    // Opened first, so that a missing permission fails before the database is used.
    const output = await open(unfinished, 'wx', 0o600);
    try {
      await write(output.createWriteStream({ flush: true }));
    } finally {
      await output.close();
    }
    if (replace) fs.renameSync(unfinished, file);
    else publish(unfinished, file);
  } catch (error) {
    throw isFileError(error) ? cannotWrite(file, error) : error;
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Errors of file systems without hard links, such as FAT. */
const noLinks: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Gives the file its final name, and fails if the name is in use. */
function publish(unfinished: string, file: string): void {
  try {
    fs.linkSync(unfinished, file);
  } catch (error) {
    if (!noLinks.has((error as NodeJS.ErrnoException).code)) throw error;
    fs.writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    fs.renameSync(unfinished, file);
  }
}

/** Returns true for errors of the file system, which have the property `syscall`. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  !(error instanceof DatabaseUnavailableError) &&
  (error as NodeJS.ErrnoException).syscall !== undefined;

const cannotWrite = (file: string, { code, message }: NodeJS.ErrnoException): OperationalError =>
  new OperationalError(
    code === 'EEXIST'
      ? `${file} already exists. Use --force to overwrite it.`
      : `Cannot write ${file} (${code ?? message}). Nothing was saved.`,
  );
