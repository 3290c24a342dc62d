/**
 * Manages the file that names the owner of a data directory. Other containers and machines cannot check the process of
 * the owner; for them the heartbeat decides, which updates the modification time of the file.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

interface Owner {
  readonly pid: number;
  /** Start time of the process in clock ticks since boot, or null if it is unknown. */
  readonly started: string | null;
  /** Identifies the PID namespace in which the process ID is valid. */
  readonly place: string;
  readonly host: string;
  /** Inode of this file, so that a copied owner file is not valid. */
  readonly inode: number;
  readonly id: string;
}

/** Milliseconds between two heartbeats. */
export const heartbeatIntervalMs = 2000;

/** Milliseconds without a heartbeat after which a remote owner counts as stopped. */
const staleAfterMs = 20_000;

const ownerPath = (dataDir: string): string => path.join(dataDir, 'service.owner');

export interface Ownership {
  /** Writes a heartbeat and restores a deleted file. Returns false if another process owns the directory. */
  renew(): boolean;
  /** Deletes the file, unless another process owns the directory. */
  release(): void;
}

/** Returns the ownership, or a description of the current owner for messages. */
export async function acquireOwnership(dataDir: string): Promise<Ownership | string> {
  const file = ownerPath(dataDir);
  const candidate = writeTemporaryFile(file);
  try {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      if (linkUnlessExists(candidate.temporaryFile, file)) return createOwnership(file, candidate.text);
      const existing = readSnapshot(file);
      if (existing === null) continue;
      if (await isActive(file, existing)) return describeOwner(existing.text);
      removeStale(file, existing.text, `${candidate.temporaryFile}.stale`);
    }
    return 'other processes that are starting';
  } finally {
    fs.rmSync(candidate.temporaryFile, { force: true });
  }
}

function createOwnership(file: string, initialText: string): Ownership {
  let ownText = initialText;
  return {
    renew: () => {
      const text = readSnapshot(file)?.text;
      if (text !== undefined && text !== ownText) return false;
      if (text !== undefined && unlessMissing(() => touch(file, ownText))) return true;
      const next = writeTemporaryFile(file);
      try {
        ownText = next.text;
        return linkUnlessExists(next.temporaryFile, file);
      } finally {
        fs.rmSync(next.temporaryFile, { force: true });
      }
    },
    release: () => {
      if (readSnapshot(file)?.text === ownText) fs.rmSync(file, { force: true });
    },
  };
}

/** Writes the owner file under a temporary name, so that other processes never see an incomplete one. */
function writeTemporaryFile(file: string): { temporaryFile: string; text: string } {
  const id = randomUUID();
  const temporaryFile = `${file}.${id}`;
  fs.writeFileSync(temporaryFile, '', { flag: 'wx', mode: 0o600 });
  const owner: Owner = {
    pid: process.pid,
    started: startTimeOf(process.pid),
    place: pidNamespace(),
    host: os.hostname(),
    inode: fs.statSync(temporaryFile).ino,
    id,
  };
  const text = JSON.stringify(owner);
  fs.writeFileSync(temporaryFile, text);
  return { temporaryFile, text };
}

async function isActive(file: string, { text, inode }: FileSnapshot): Promise<boolean> {
  const owner = readOwner(text);
  const isLocal = owner && owner.inode === inode && owner.place === pidNamespace();
  if (!isLocal) return hasHeartbeat(file);
  if (!isAlive(owner.pid)) return false;
  if (owner.started !== null) return startTimeOf(owner.pid) === owner.started;
  return hasHeartbeat(file);
}

/** Waits for a heartbeat. The age of the latest one, by the clock of the file system, shortens the wait. */
async function hasHeartbeat(file: string): Promise<boolean> {
  const probe = `${file}.${randomUUID()}`;
  fs.writeFileSync(probe, '', { flag: 'wx', mode: 0o600 });
  const now = fs.statSync(probe).mtimeMs;
  fs.rmSync(probe);
  const last = heartbeatTime(file);
  if (last === null) return false;
  const until = Date.now() + Math.min(staleAfterMs, staleAfterMs - (now - last));
  while (Date.now() < until) {
    await delay(200);
    const next = heartbeatTime(file);
    if (next === null) return false;
    if (next !== last) return true;
  }
  return false;
}

function describeOwner(text: string): string {
  const owner = readOwner(text);
  if (!owner) return 'another process';
  return owner.place === pidNamespace() ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.host}`;
}

/** Returns null if the text is not an owner file of this product. */
function readOwner(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    return typeof owner?.pid === 'number' && typeof owner.host === 'string' ? (owner as Owner) : null;
  } catch {
    return null;
  }
}

/** Returns the boot ID and PID namespace on Linux (proc(5)), otherwise the host name. */
function pidNamespace(): string {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}

/** Returns the start time of a process in clock ticks since boot, or null if it is unknown. */
const startTimeOf = (pid: number): string | null => statOf(pid)?.[19] ?? null;

/** Returns the fields of /proc/PID/stat from the third on. The second, in parentheses, can contain any text (proc(5)). */
function statOf(pid: number): string[] | null {
  try {
    const line = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** A zombie has exited and has no open files. */
const hasExited = (pid: number): boolean => /^[ZXx]/.test(statOf(pid)?.[0] ?? '');

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !hasExited(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes a stale owner file. If another process has replaced it, restores the file of that process. */
function removeStale(file: string, staleText: string, renamed: string): void {
  if (!unlessMissing(() => fs.renameSync(file, renamed))) return;
  if (readSnapshot(renamed)?.text !== staleText) linkUnlessExists(renamed, file);
  fs.rmSync(renamed);
}

const heartbeatTime = (file: string): number | null =>
  fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;

/** Updates the modification time by rewriting the content, so that it comes from the clock of the file system. */
function touch(file: string, text: string): void {
  const handle = fs.openSync(file, 'r+');
  try {
    fs.writeSync(handle, text, 0);
  } finally {
    fs.closeSync(handle);
  }
}

interface FileSnapshot {
  readonly text: string;
  readonly inode: number;
}

/** Returns null if the file does not exist. */
function readSnapshot(file: string): FileSnapshot | null {
  let snapshot: FileSnapshot | null = null;
  unlessMissing(() => {
    const handle = fs.openSync(file, 'r');
    try {
      snapshot = { text: fs.readFileSync(handle, 'utf8'), inode: fs.fstatSync(handle).ino };
    } finally {
      fs.closeSync(handle);
    }
  });
  return snapshot;
}

/** Returns false if the file does not exist. */
const unlessMissing = (operation: () => void): boolean => unlessFails('ENOENT', operation);

/** Creates a hard link, which is atomic. Returns false if the target exists. */
const linkUnlessExists = (from: string, to: string): boolean =>
  unlessFails('EEXIST', () => fs.linkSync(from, to));

function unlessFails(code: string, operation: () => void): boolean {
  try {
    operation();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return false;
    throw error;
  }
}
