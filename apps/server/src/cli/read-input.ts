/** Reads the input file of a command, and reports an unreadable file as a usage error. */
import path from 'node:path';
import { FileError, readWhole, type CommandFiles } from './command-files.ts';
import { UsageError } from './usage-error.ts';

interface Input {
  /** For messages. */
  readonly name: string;
  /** Null if the file is too large. */
  readonly bytes: Buffer | null;
}

/**
 * @param file as the operator typed it
 * @throws UsageError if the file cannot be read
 */
export async function readInput(files: CommandFiles, file: string, maxBytes: number): Promise<Input> {
  try {
    const source = await files.open(file);
    return { name: path.basename(source.path), bytes: await readWhole(source, maxBytes) };
  } catch (error) {
    throw error instanceof FileError ? new UsageError(error.message) : error;
  }
}
