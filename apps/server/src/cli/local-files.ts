/** Opens files in the client process. A new file gets its name only when it is complete. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import {
  FileError,
  isStandardInput,
  isStandardOutput,
  type CommandFiles,
  type CreateOptions,
  type OpenOptions,
  type SourceFile,
  type TargetFile,
} from './command-files.ts';
import { removeOnExit } from './unfinished-files.ts';

interface StandardStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** @param directory the base of relative names */
export function createLocalFiles(
  directory: string,
  { stdin, stdout }: StandardStreams = process,
): CommandFiles {
  /** Copies of pipes that are read again. */
  const copies = new Map<string, number>();
  // A shell does not expand the tilde in `--results=~/results.csv`.
  const resolve = (name: string): string =>
    path.resolve(directory, name.startsWith('~/') ? path.join(os.homedir(), name.slice(2)) : name);
  return {
    async open(name, { again = false }: OpenOptions = {}) {
      const file = isStandardInput(name) ? 'standard input' : resolve(name);
      const report = cannotRead(file);
      try {
        const copy = copies.get(file);
        if (copy !== undefined) return readStream(file, readAgain(copy), async () => {});
        const { stream, isSeekable } = isStandardInput(name)
          ? { stream: stdin, isSeekable: false }
          : await openStream(file);
        if (isSeekable || !again) return readStream(file, stream, async () => void stream.destroy());
        const unnamed = await copyToUnnamedFile(stream);
        copies.set(file, unnamed);
        return readStream(file, readAgain(unnamed), async () => {});
      } catch (error) {
        throw report(error);
      }
    },
    create: async (name, options) => {
      const file = isStandardOutput(name) ? 'standard output' : resolve(name);
      try {
        if (isStandardOutput(name)) return streamTarget(file, stdout);
        const descriptor = inheritedDescriptor(file);
        if (descriptor !== null) return streamTarget(file, fs.createWriteStream('', { fd: descriptor }));
        const existing = fs.statSync(file, { throwIfNoEntry: false });
        if (existing?.isDirectory()) throw new FileError(`${file} is a directory. Specify a file.`, 'EISDIR');
        // A pipe or a device keeps its name.
        if (existing && !existing.isFile()) return streamTarget(file, fs.createWriteStream(file));
        if (existing && !options.replace) throw exists(file);
        if (options.partial) return await createPartial(file, options);
        return await createUnfinished(existing ? fs.realpathSync(file) : file, options, existing?.mode);
      } catch (error) {
        throw cannotWrite(file)(error);
      }
    },
  };
}

/**
 * Returns N for `/dev/fd/N`, as in `<(...)` of a shell; null for any other name. Opening the name instead would read a
 * file from its start again, and fails for sockets and for files of another user.
 */
function inheritedDescriptor(file: string): number | null {
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(file) ?? [];
  return number === undefined ? null : Number(number);
}

async function openStream(file: string): Promise<{ stream: Readable; isSeekable: boolean }> {
  const inherited = inheritedDescriptor(file);
  if (inherited !== null) {
    const stats = fs.fstatSync(inherited);
    return { stream: readDescriptor(inherited, stats), isSeekable: false };
  }
  const fd = await promisify(fs.open)(file, 'r');
  const stats = fs.fstatSync(fd);
  if (stats.isDirectory()) {
    fs.closeSync(fd);
    throw Object.assign(new Error('is a directory'), { code: 'EISDIR', syscall: 'read' });
  }
  return { stream: readDescriptor(fd, stats), isSeekable: stats.isFile() };
}

/** A blocked read of a file would keep the process from exiting; a socket is read without blocking. */
const readDescriptor = (fd: number, stats: fs.Stats): Readable =>
  stats.isFIFO() || stats.isSocket()
    ? new net.Socket({ fd, readable: true, writable: false })
    : fs.createReadStream('', { fd });

const readAgain = (fd: number): Readable => fs.createReadStream('', { fd, start: 0, autoClose: false });

/**
 * Reads the whole stream into a file without a name, which the system removes with the process.
 *
 * @returns its descriptor
 */
async function copyToUnnamedFile(stream: Readable): Promise<number> {
  const file = path.join(os.tmpdir(), `lanternrock.${randomUUID()}`);
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      const code = describe(error);
      throw new FileError(`Cannot write a temporary file in ${os.tmpdir()} (${code}).`, code);
    }
  };
  const fd = attempt(() => fs.openSync(file, 'wx+', 0o600));
  fs.rmSync(file);
  for await (const chunk of stream as AsyncIterable<Buffer>) attempt(() => fs.writeFileSync(fd, chunk));
  return fd;
}

function readStream(file: string, stream: Readable, close: () => Promise<void>): SourceFile {
  const report = cannotRead(file);
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return {
    path: file,
    read: async () => {
      try {
        const { done, value } = await chunks.next();
        return done === true ? null : value;
      } catch (error) {
        throw report(error);
      }
    },
    close,
  };
}

/** Writes to a stream without a file name, so there is nothing to replace or remove. */
function streamTarget(file: string, stream: Writable): TargetFile {
  const failure: { error: unknown } = { error: null };
  stream.on('error', (error) => {
    failure.error = error;
  });
  const isStandard = file === 'standard output';
  const settle = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown): void => reject(cannotWrite(file, 'The output is incomplete.')(error));
      if (failure.error !== null) return fail(failure.error);
      // A destroyed stream does not call the callback of a write.
      stream.once('error', fail);
      start((error) => {
        stream.off('error', fail);
        if (error) fail(error);
        else resolve();
      });
    });
  return {
    path: file,
    write: (bytes) => settle((done) => void stream.write(bytes, done)),
    // Standard output also receives the lines that a command prints.
    finish: () => (isStandard ? settle((done) => done()) : settle((done) => void stream.end(done))),
    discard: async () => {
      if (!isStandard) stream.destroy();
    },
  };
}

async function createPartial(file: string, options: CreateOptions): Promise<TargetFile> {
  const handle = await open(file, options.replace ? 'w' : 'wx', options.private ? 0o600 : 0o666);
  const report = cannotWrite(file, 'It is incomplete.');
  const attempt = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => {},
      (error: unknown) => {
        throw report(error);
      },
    );
  return {
    path: file,
    write: (bytes) => attempt(handle.writeFile(bytes)),
    finish: () => attempt(handle.sync().then(() => handle.close())),
    discard: () => handle.close().catch(() => {}),
  };
}

/** @param mode of the file that is replaced; undefined if there is none */
async function createUnfinished(
  file: string,
  options: CreateOptions,
  mode: number | undefined,
): Promise<TargetFile> {
  // A long name with the suffix would exceed the 255 bytes of a file name.
  const unfinished = path.join(
    path.dirname(file),
    `${path.basename(file).slice(0, 40)}.${randomUUID()}.unfinished`,
  );
  // A replaced file can be private. It gets its mode when it is complete.
  const handle = await open(unfinished, 'wx', options.private || mode !== undefined ? 0o600 : 0o666);
  const keep = removeOnExit(unfinished);
  let isOpen = true;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      throw cannotWrite(file)(error);
    }
  };
  const discard = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await handle.close().catch(() => {});
    keep();
    fs.rmSync(unfinished, { force: true });
  };
  return {
    path: file,
    write: (bytes) => attempt(() => handle.writeFile(bytes)),
    finish: () =>
      attempt(async () => {
        // As redirection in a shell, which keeps the mode.
        if (mode !== undefined && !options.private) await handle.chmod(mode & 0o777);
        await handle.sync();
        if (options.replace) fs.renameSync(unfinished, file);
        else publish(unfinished, file);
        syncDirectory(path.dirname(file));
        await discard();
      }),
    discard,
  };
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

/** A power loss must not lose the name of the file. Not every file system can do this. */
function syncDirectory(directory: string): void {
  try {
    const descriptor = fs.openSync(directory, 'r');
    try {
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    // The file itself is complete.
  }
}

const exists = (file: string): FileError =>
  new FileError(`${file} already exists. Use --force to overwrite it.`, 'EEXIST');

const describe = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));

const cannotRead =
  (file: string) =>
  (error: unknown): FileError =>
    error instanceof FileError
      ? error
      : new FileError(`${file} cannot be read (${describe(error)}).`, describe(error));

/** @param result what exists now */
const cannotWrite =
  (file: string, result = 'The file was not saved.') =>
  (error: unknown): FileError => {
    if (error instanceof FileError) return error;
    const code = describe(error);
    return code === 'EEXIST'
      ? exists(file)
      : new FileError(`Cannot write ${file} (${code}). ${result}`, code);
  };
