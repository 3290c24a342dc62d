/** Reads information about other processes from /proc on Linux (proc(5)). */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Returns the boot ID and PID namespace on Linux, otherwise the host name. */
export function readPidNamespace(): string {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}

interface ProcessStatus {
  /** Start time in clock ticks since boot. */
  readonly startTicks: string | null;
  readonly hasExited: boolean;
}

/** Reads /proc/PID/stat. Returns null if the process does not exist, or on a system without /proc. */
export function readProcessStatus(pid: number): ProcessStatus | null {
  try {
    const line = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The fields from the third on. The second, in parentheses, can contain any text.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const [state = ''] = fields;
    // Field 22, `starttime`.
    const startTicks = fields[19] ?? null;
    // A zombie has exited and has no open files.
    return { startTicks, hasExited: /^[ZXx]/.test(state) };
  } catch {
    return null;
  }
}

/** Returns true if the process exists, also if it belongs to another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns the ID of another process that has a file in the directory open for writing, or null if none is found. Unlike
 * a lock, open files cannot be deleted. Covers processes of the same user in the same PID namespace, on Linux only.
 */
export function findWriter(directory: string): number | null {
  const real = tryRead(() => fs.realpathSync(directory));
  if (real === null) return null;
  const others = listEntries('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return others.find((pid) => hasFileOpenForWriting(pid, `${real}${path.sep}`)) ?? null;
}

const hasFileOpenForWriting = (pid: number, prefix: string): boolean =>
  listEntries(`/proc/${pid}/fd`).some((descriptor) => {
    const file = tryRead(() => fs.readlinkSync(`/proc/${pid}/fd/${descriptor}`));
    return file !== null && file.startsWith(prefix) && isForWriting(pid, descriptor);
  });

/** Checks the access mode in the flags of open(2): 0 is read-only, 1 write-only, 2 both. */
function isForWriting(pid: number, descriptor: string): boolean {
  const info = tryRead(() => fs.readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8')) ?? '';
  const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & 3) !== 0;
}

const listEntries = (directory: string): string[] => tryRead(() => fs.readdirSync(directory)) ?? [];

/** Returns null if the file no longer exists or belongs to another user. */
function tryRead<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
