/**
 * Files that the arguments of a command name. A running service has another directory, mount namespace and user, so it
 * never opens these files itself: the client process opens them, and the service receives their bytes.
 */
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import { OperationalError } from '@lanternrock/postgres/errors';

/** A file of a command cannot be opened, read or written. The message is complete. */
export class FileError extends OperationalError {
  /** For example `ENOENT`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export interface SourceFile {
  /** Absolute path, or `standard input`. */
  readonly path: string;
  /**
   * Returns the next bytes, and null at the end.
   *
   * @throws FileError
   */
  read(): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

export interface TargetFile {
  /** Absolute path, or `standard output`. */
  readonly path: string;
  /**
   * Resolves when the bytes are written.
   *
   * @throws FileError
   */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Gives the complete file its name.
   *
   * @throws FileError
   */
  finish(): Promise<void>;
  /** Removes an incomplete file, unless it is `partial`. Has no effect after `finish`. */
  discard(): Promise<void>;
}

export interface OpenOptions {
  /** Keeps the bytes of a pipe, so that the same name can be opened again. */
  readonly again?: boolean;
}

export interface CreateOptions {
  /** Overwrites an existing file. */
  readonly replace: boolean;
  /** Only the operator can read the file; otherwise the umask decides. */
  readonly private: boolean;
  /** The file has its name from the start, and keeps what was written if the command ends early. */
  readonly partial?: boolean;
}

export interface CommandFiles {
  /**
   * Opens a file to read. `-` is standard input.
   *
   * @param name as the operator typed it
   * @throws FileError
   */
  open(name: string, options?: OpenOptions): Promise<SourceFile>;
  /**
   * Creates a file. `-` is standard output.
   *
   * @param name as the operator typed it
   * @throws FileError
   */
  create(name: string, options: CreateOptions): Promise<TargetFile>;
}

/** Maximum bytes in memory between a command and a file. */
const bufferBytes = 262_144;

/** Yields the bytes of a file. */
export async function* readChunks(source: SourceFile): AsyncGenerator<Uint8Array> {
  try {
    for (let bytes = await source.read(); bytes; bytes = await source.read()) yield bytes;
  } finally {
    await source.close();
  }
}

/**
 * Reads a whole file.
 *
 * @returns null if it has more than `maxBytes`
 * @throws FileError
 */
export async function readWhole(source: SourceFile, maxBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(source)) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Returns a stream to a file. An error of the file is an error of the stream. */
function toWritable(target: TargetFile): Writable {
  const write = callbackify((bytes: Uint8Array) => target.write(bytes));
  return new Writable({
    highWaterMark: bufferBytes,
    write: (bytes: Uint8Array, _encoding, done) => write(bytes, done),
    // Many short lines are one write.
    writev: (parts, done) => write(Buffer.concat(parts.map(({ chunk }) => chunk as Uint8Array)), done),
  });
}

/**
 * Writes a file, which gets its name when it is complete. It is opened first, so that a missing permission fails before
 * `write` uses the database.
 *
 * @returns the path for messages
 * @throws FileError
 */
export async function writeFile(
  files: CommandFiles,
  name: string,
  options: CreateOptions,
  write: (output: Writable) => Promise<void>,
): Promise<string> {
  const target = await files.create(name, options);
  const output = toWritable(target);
  // `write` reports the error of a stream that it uses.
  output.on('error', () => {});
  try {
    await write(output);
    await target.finish();
  } catch (error) {
    output.destroy();
    await target.discard();
    throw error;
  }
  return target.path;
}

/** Returns true for the names of standard output, which a message would otherwise become a part of. */
export const isStandardOutput = (name: string): boolean =>
  name === '-' || /^\/(dev\/stdout|(dev|proc\/self)\/fd\/1)$/.test(name);

/** Returns true for the names of standard input. */
export const isStandardInput = (name: string): boolean =>
  name === '-' || /^\/(dev\/stdin|(dev|proc\/self)\/fd\/0)$/.test(name);
