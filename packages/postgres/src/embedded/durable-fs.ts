/**
 * Adds fsync to the directory file system of PGlite. PGlite starts Postgres with `-F`, and its NODEFS has no fsync
 * operation, so a power loss would lose committed rows. A test counts the calls to detect an upgrade of PGlite that
 * removes them.
 */
import fs from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

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

interface MountedNode {
  readonly mount: { readonly type: { readonly stream_ops: { fsync?: (stream: { nfd: number }) => number } } };
}

export class DurableFS extends NodeFS {
  readonly #onSync: () => void;

  /** @param onSync called after each fsync */
  constructor(directory: string, onSync: () => void) {
    super(directory);
    this.#onSync = onSync;
  }

  override async init(...input: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...input);
    const addFsync = (module: { FS: { lookupPath(path: string): { node: unknown } } }): void => {
      const node = module.FS.lookupPath(mountPoint).node as MountedNode;
      node.mount.type.stream_ops.fsync = (stream) => {
        fs.fsyncSync(stream.nfd);
        this.#onSync();
        return 0;
      };
    };
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...(emscriptenOpts.preRun ?? []), addFsync],
      },
    };
  }
}
