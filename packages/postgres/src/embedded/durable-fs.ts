/**
 * Makes the directory file system of PGlite durable. PGlite starts Postgres with `-F`, and its NODEFS has no fsync
 * operation, so a power loss would lose committed rows. A test counts the calls to detect an upgrade of PGlite that
 * removes them.
 */
import fs from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { toVersionFile } from './database-paths.ts';

/** Mount point of the data directory in the WASM file system of PGlite. */
const mountPoint = '/pglite/data';

/** Start parameters of Postgres with durable commits. */
export const durableStartParams: string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
  // Only `upkeep.ts` writes checkpoints. These sizes limit the log files that are kept for reuse.
  '-c',
  'min_wal_size=32MB',
  '-c',
  'max_wal_size=64MB',
];

/** Start parameters for a temporary copy, which needs no durable commits. */
export const copyStartParams: string[] = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

/** Error numbers of WASI, which Emscripten uses. */
const inputOutputError = 29;
const noSpace = 51;

/** Errors that Postgres reports as internal errors, although freeing space or raising a limit solves them. */
const noSpaceCodes: ReadonlySet<string | undefined> = new Set(['EDQUOT', 'EFBIG']);

/**
 * Errors that Postgres expects or has a code for. It reports a lost permission as one of the client, and a lost network
 * file system as an internal error, and would go on with files that it cannot use. So all others are I/O errors, after
 * which the engine is restarted.
 */
const expectedCodes: ReadonlySet<string | undefined> = new Set([
  'EAGAIN',
  'EEXIST',
  'EINTR',
  'EINVAL',
  'EISDIR',
  'EMFILE',
  'ENAMETOOLONG',
  'ENFILE',
  'ENOENT',
  'ENOMEM',
  'ENOSPC',
  'ENOSYS',
  'ENOTDIR',
  'ENOTEMPTY',
  'ENOTSUP',
]);

interface MountedFileSystem {
  readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number };
  /** Returns undefined for an unknown error code. */
  convertNodeCode(error: NodeJS.ErrnoException): number | undefined;
}

interface EngineModule {
  readonly FS: { lookupPath(path: string): { node: unknown } };
}

export interface FileSystemEvents {
  /** Called after each fsync. */
  readonly onSync: () => void;
  /**
   * Called when the engine must not continue, with the reason. Does not return: PGlite catches every exception.
   */
  readonly onFailure: (reason: string) => never;
}

export class DurableFS extends NodeFS {
  readonly #events: FileSystemEvents;
  readonly #versionFile: string;
  /** The latest error of a file operation. */
  lastError: NodeJS.ErrnoException | null = null;
  /** The latest error that the engine knows as an I/O error. */
  inputOutputError: NodeJS.ErrnoException | null = null;
  /** True when the directory contains a database: from then on, a missing one is an I/O error. */
  hasDatabase = false;

  constructor(directory: string, events: FileSystemEvents) {
    super(directory);
    this.#events = events;
    this.#versionFile = toVersionFile(directory);
  }

  override async init(...input: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...input);
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...(emscriptenOpts.preRun ?? []), (module: EngineModule) => this.#makeDurable(module)],
        onAbort: () => this.#events.onFailure('the engine aborted'),
      },
    };
  }

  #makeDurable({ FS }: EngineModule): void {
    const { onSync, onFailure } = this.#events;
    const { node } = FS.lookupPath(mountPoint);
    const { type } = (node as { readonly mount: { readonly type: MountedFileSystem } }).mount;
    const convert = type.convertNodeCode.bind(type);
    type.convertNodeCode = (error) => {
      this.lastError = error;
      if (noSpaceCodes.has(error.code)) return noSpace;
      const isExpected = expectedCodes.has(error.code) && !this.#isLost(error);
      // Emscripten reports an error without a number as success.
      const number = isExpected ? convert(error) : undefined;
      if (number === undefined) this.inputOutputError = error;
      return number ?? inputOutputError;
    };
    type.stream_ops.fsync = ({ nfd }) => {
      try {
        fs.fsyncSync(nfd);
      } catch (error) {
        // The kernel may have discarded the changes, so a later fsync could succeed without them. Only a restart, which
        // reads the write-ahead log from the disk, is correct.
        onFailure(`fsync failed: ${error instanceof Error ? error.message : String(error)}`);
      }
      onSync();
      return 0;
    };
  }

  /** Returns true if a file is missing because the whole database is, for example on a volume that was unmounted. */
  #isLost({ code }: NodeJS.ErrnoException): boolean {
    return code === 'ENOENT' && this.hasDatabase && !fs.existsSync(this.#versionFile);
  }
}
