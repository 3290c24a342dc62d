/**
 * Finds processes that have files of a directory open for writing (proc(5)). Unlike a lock file, this information cannot
 * be deleted. It covers processes of the same user in the same PID namespace, on Linux only.
 */
import fs from 'node:fs';
import path from 'node:path';

/** Returns the ID of another process that has a file in the directory open for writing, or null if none is found. */
export function findWriter(directory: string): number | null {
  const real = tryRead(() => fs.realpathSync(directory));
  if (real === null) return null;
  const others = entries('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return others.find((pid) => writes(pid, `${real}${path.sep}`)) ?? null;
}

const writes = (pid: number, prefix: string): boolean =>
  entries(`/proc/${pid}/fd`).some((descriptor) => {
    const file = tryRead(() => fs.readlinkSync(`/proc/${pid}/fd/${descriptor}`));
    return file !== null && file.startsWith(prefix) && isForWriting(pid, descriptor);
  });

/** Checks the access mode in the flags of open(2): 0 is read-only, 1 write-only, 2 both. */
function isForWriting(pid: number, descriptor: string): boolean {
  const info = tryRead(() => fs.readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8')) ?? '';
  const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & 3) !== 0;
}

const entries = (directory: string): string[] => tryRead(() => fs.readdirSync(directory)) ?? [];

/** Returns null if the file no longer exists or belongs to another user. */
function tryRead<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
