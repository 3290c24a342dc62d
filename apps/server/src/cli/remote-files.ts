/**
 * Carries the bytes of the files of a command through the control socket. The service sends a call, the client process
 * executes it and sends the result. The next bytes follow only after the result, so neither side stores a large file.
 */
import * as z from 'zod/mini';
import { OperationalError } from '@lanternrock/postgres/errors';
import {
  FileError,
  type CommandFiles,
  type CreateOptions,
  type SourceFile,
  type TargetFile,
} from './command-files.ts';

/** Maximum bytes of one message. */
const messageBytes = 65_536;

type Call =
  | { readonly do: 'open'; readonly name: string; readonly again: boolean }
  | ({ readonly do: 'create'; readonly name: string } & CreateOptions)
  | { readonly do: 'read' | 'finish' | 'discard' | 'close'; readonly file: number }
  /** `bytes` is base64. */
  | { readonly do: 'write'; readonly file: number; readonly bytes: string };

/** A call of the service, as one line. */
export interface FileCall {
  readonly id: number;
  readonly file: Call;
}

const resultShape = z.object({
  /** Number of an opened file. */
  file: z.optional(z.int()),
  path: z.optional(z.string()),
  /** Base64; missing at the end of a file. */
  bytes: z.optional(z.string()),
  failure: z.optional(z.object({ message: z.string(), code: z.string() })),
});

type Result = z.infer<typeof resultShape>;

/** The result of a call, as one line. */
export const fileResultShape = z.object({ id: z.int(), result: resultShape });
type FileResult = z.infer<typeof fileResultShape>;

export interface RemoteFiles extends CommandFiles {
  /** Resolves the call that this result of the client belongs to. */
  receive(message: FileResult): void;
  /** Fails all calls, because the client has disconnected. */
  disconnect(): void;
}

/** Creates the side of the service. */
export function createRemoteFiles(send: (call: FileCall) => void): RemoteFiles {
  const waiting = new Map<number, (result: Result) => void>();
  let nextId = 1;
  let isConnected = true;
  const disconnected: Result = {
    failure: { message: 'The process that started the command has ended.', code: 'EPIPE' },
  };
  const call = async (file: Call): Promise<Result> => {
    const id = nextId;
    nextId += 1;
    const result = await new Promise<Result>((resolve) => {
      if (!isConnected) return resolve(disconnected);
      waiting.set(id, resolve);
      send({ id, file });
    });
    if (result.failure) throw new FileError(result.failure.message, result.failure.code);
    return result;
  };
  return {
    async open(name, { again = false } = {}) {
      const { file = 0, path = '' } = await call({ do: 'open', name, again });
      return {
        path,
        read: async () => {
          const { bytes } = await call({ do: 'read', file });
          return bytes === undefined ? null : Buffer.from(bytes, 'base64');
        },
        close: async () => void (await call({ do: 'close', file })),
      };
    },
    async create(name, options) {
      const { file = 0, path = '' } = await call({ do: 'create', name, ...options });
      return {
        path,
        async write(bytes) {
          for (let start = 0; start < bytes.length; start += messageBytes) {
            const part = Buffer.from(bytes.subarray(start, start + messageBytes));
            await call({ do: 'write', file, bytes: part.toString('base64') });
          }
        },
        finish: async () => void (await call({ do: 'finish', file })),
        // A client that has ended has removed the file.
        discard: () =>
          call({ do: 'discard', file }).then(
            () => {},
            () => {},
          ),
      };
    },
    receive({ id, result }) {
      waiting.get(id)?.(result);
      waiting.delete(id);
    },
    disconnect() {
      isConnected = false;
      for (const end of waiting.values()) end(disconnected);
      waiting.clear();
    },
  };
}

export interface FileServer {
  /** Executes a call of the service. Never throws. */
  execute(call: FileCall): Promise<FileResult>;
  /** Removes incomplete files. */
  close(): Promise<void>;
}

/** File names that arguments can contain: the argument, and the value of an option. */
const toNames = (args: readonly string[]): readonly string[] => [
  ...args,
  ...args.map((arg) => arg.replace(/^--[\w-]+=/, '')),
];

/**
 * Creates the file server of the client process.
 *
 * @param args arguments of the command. Another user may own the service, so it may read only files that they name
 * @param writableFiles names of the files that the service may write. It may overwrite them only if `args` contains
 *   `--force`
 */
export function createFileServer(
  files: CommandFiles,
  args: readonly string[],
  writableFiles: readonly string[],
): FileServer {
  const readNames = new Set(['-', ...toNames(args)]);
  const writtenNames = new Set(['-', ...writableFiles]);
  const isForced = args.includes('--force');
  const sources = new Map<number, { readonly file: SourceFile; rest: Uint8Array }>();
  const targets = new Map<number, TargetFile>();
  let nextFile = 1;
  const requireTyped = (name: string, typed: ReadonlySet<string>): void => {
    if (!typed.has(name))
      throw new OperationalError(`The service requested a file that the command does not name: ${name}.`);
  };
  const execute = async (call: Call): Promise<Result> => {
    if (call.do === 'open') {
      requireTyped(call.name, readNames);
      const file = await files.open(call.name, { again: call.again });
      sources.set(nextFile, { file, rest: new Uint8Array() });
      return { file: nextFile++, path: file.path };
    }
    if (call.do === 'create') {
      requireTyped(call.name, writtenNames);
      const file = await files.create(call.name, { ...call, replace: call.replace && isForced });
      targets.set(nextFile, file);
      return { file: nextFile++, path: file.path };
    }
    const source = sources.get(call.file);
    const target = targets.get(call.file);
    if (call.do === 'read') {
      if (!source) throw new OperationalError('The service read a file that is not open.');
      const bytes = source.rest.length > 0 ? source.rest : await source.file.read();
      if (!bytes) return {};
      source.rest = bytes.subarray(messageBytes);
      return { bytes: Buffer.from(bytes.subarray(0, messageBytes)).toString('base64') };
    }
    if (call.do === 'write') await target?.write(Buffer.from(call.bytes, 'base64'));
    else if (call.do === 'finish') await target?.finish();
    else if (call.do === 'discard') await target?.discard();
    else await source?.file.close();
    return {};
  };
  return {
    async execute({ id, file }) {
      try {
        return { id, result: await execute(file) };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { id, result: { failure: { message, code: error instanceof FileError ? error.code : '' } } };
      }
    },
    close: async () => {
      for (const target of targets.values()) await target.discard();
    },
  };
}
