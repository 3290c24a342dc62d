/** Faults of the file operations of an embedded database, for processes and workers that load `faulty-files.mjs`. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const fileFaultKinds = [
  'no-space',
  'short-write',
  'io-error',
  'failed-sync',
  'unknown-error',
  'read-only',
  'no-permission',
  'not-connected',
] as const;

export interface FileFault {
  /**
   * `short-write` writes half of the bytes; further writes fail with ENOSPC. `unknown-error` is EUCLEAN, for which
   * Node.js has no name. `not-connected` is ENOTCONN, as of a network file system.
   */
  readonly kind: (typeof fileFaultKinds)[number];
  /** Number of operations that succeed before the fault. */
  readonly skip: number;
  /** Prefix of the paths of the affected files, relative to the directory of the database. */
  readonly pathPrefix: string;
}

/** Path of the module to load before the database worker. */
export const faultyFilesModule = fileURLToPath(new URL('faulty-files.mjs', import.meta.url));

/** Starts a fault; null ends the present one. */
export function setFileFault(dataDir: string, fault: FileFault | null): void {
  const file = path.join(dataDir, 'fault');
  // Renamed, because the worker can read the file at any time.
  fs.writeFileSync(`${file}.new`, fault ? JSON.stringify(fault) : '');
  fs.renameSync(`${file}.new`, file);
}
