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
   * `short-write` writes half of the bytes, then there is no space. `unknown-error` is one that Node has no name for.
   * `not-connected` is that of a network file system.
   */
  readonly kind: (typeof fileFaultKinds)[number];
  /** Number of operations that succeed before the fault. */
  readonly skip: number;
  /** Start of the names of the affected files, relative to the directory of the database. */
  readonly under: string;
}

/** Module to load before the database worker. */
export const faultyFiles = fileURLToPath(new URL('faulty-files.mjs', import.meta.url));

/** Starts a fault, or ends it with null. */
export function setFileFault(dataDir: string, fault: FileFault | null): void {
  const file = path.join(dataDir, 'fault');
  fs.writeFileSync(`${file}.new`, fault ? JSON.stringify(fault) : '');
  fs.renameSync(`${file}.new`, file);
}
