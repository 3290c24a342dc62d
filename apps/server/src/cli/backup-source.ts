/** The backup that an argument names. */
import { OperationalError } from '@lanternrock/postgres/errors';
import type { BackupSource } from '../backup/read-backup.ts';
import { FileError, readChunks, type CommandFiles, type SourceFile } from './command-files.ts';

export const createBackupSource = (name: string, files: CommandFiles): BackupSource => ({
  name,
  async *read() {
    yield* readChunks(await openFile(files, name));
  },
});

async function openFile(files: CommandFiles, name: string): Promise<SourceFile> {
  try {
    // A backup is read once to validate it and once to restore it.
    return await files.open(name, { again: true });
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== 'ENOENT') throw error;
    throw new OperationalError(`File ${name} not found. Nothing was restored.`, { cause: error });
  }
}
