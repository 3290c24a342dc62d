/** Free disk space, which the engine needs for its write-ahead log: it cannot continue after a failed write to it. */
import fs from 'node:fs';

/** Returns the free bytes for this user, or null if the file system does not report them. */
export function readFreeBytes(directory: string): number | null {
  try {
    const { bavail, blocks, bsize } = fs.statfsSync(directory);
    return blocks === 0 ? null : bavail * bsize;
  } catch {
    return null;
  }
}

/** Bytes that a checkpoint can need: one new file of the write-ahead log, and temporary files. */
const checkpointBytes = 20 * 1_048_576;

/** Returns true if a checkpoint can be written, or if the free space is unknown. */
export const canCheckpoint = (directory: string): boolean => hasSpace(directory, checkpointBytes);

/** Returns true if this number of bytes is free, or if the free space is unknown. */
export function hasSpace(directory: string, bytes: number): boolean {
  const free = readFreeBytes(directory);
  return free === null || free >= bytes;
}
