/**
 * Locks a data directory for one process, because two engines on one directory overwrite each other's rows. The lock is
 * a directory that contains one record, which names the owner. A process acquires it by renaming a directory of its own,
 * which fails if the target is not empty (rename(2)). The name of each record is unique, so a process that deletes the
 * record of a killed process cannot delete the record of a new owner.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperationalError } from '../errors.ts';
import { toDatabaseDirectory } from './database-paths.ts';
import { findWriter, isRunning, readPidNamespace, readProcessStatus } from './processes.ts';

export interface DirectoryLock {
  /** Writes a heartbeat and restores a deleted record. The lock calls it every few seconds. */
  renew(): void;
  release(): void;
}

export interface LockEvents {
  /** Called when another process owns the directory. This process must not write to it. */
  readonly onLost?: () => void;
  /** Called when the lock cannot be renewed. */
  readonly onError?: (error: unknown) => void;
}

interface Owner {
  readonly pid: number;
  /** Start time of the process in clock ticks since boot, or null if it is unknown. */
  readonly started: string | null;
  /** Identifies the PID namespace in which the process ID is valid. */
  readonly namespace: string;
  readonly host: string;
  /** Inode of the record, so that a copied record is not valid. */
  readonly inode: number;
}

/** Milliseconds between two heartbeats, which update the modification time of the record. */
const heartbeatIntervalMs = 2000;

/** Milliseconds without a heartbeat after which an owner in another container or on another machine counts as stopped. */
const staleAfterMs = 20_000;

/**
 * Locks a data directory for this process. Takes over the lock of a process that has exited.
 *
 * @throws OperationalError if another process owns the directory
 */
export async function lockDirectory(directory: string, events: LockEvents = {}): Promise<DirectoryLock> {
  // Protects the database also while the lock is deleted. Checked first, because an owner exits if it loses the lock.
  const writer = findWriter(toDatabaseDirectory(directory));
  if (writer !== null) throw directoryInUse(directory, `process ${writer}`);
  const lockDir = path.join(directory, 'service.lock');
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const record = tryAcquire(lockDir);
    if (record !== null) return holdLock(lockDir, record, events);
    const existing = findRecord(lockDir);
    if (existing === null) continue;
    const owner = readOwner(existing);
    if (await isActive(existing, owner)) throw directoryInUse(directory, describeOwner(owner));
    fs.rmSync(existing, { force: true });
  }
  throw directoryInUse(directory, 'other processes that are starting');
}

/** @param owner a description of the process that uses the directory */
export const directoryInUse = (directory: string, owner: string): OperationalError =>
  new OperationalError(`${directory} is in use by ${owner}. Stop it first, or set another DATA_DIR.`);

function holdLock(lockDir: string, firstRecord: string, { onLost, onError }: LockEvents): DirectoryLock {
  let record = firstRecord;
  const renew = (): void => {
    // Writing the first byte again, unlike utimes(2), takes the time from the clock of the file system.
    if (succeeds(() => fs.writeFileSync(record, '{', { flag: 'r+' }), 'ENOENT')) return;
    const restored = tryAcquire(lockDir);
    if (restored === null) {
      clearInterval(timer);
      onLost?.();
    } else {
      record = restored;
    }
  };
  const timer = setInterval(() => {
    try {
      renew();
    } catch (error) {
      onError?.(error);
    }
  }, heartbeatIntervalMs);
  timer.unref();
  return {
    renew,
    release: () => {
      clearInterval(timer);
      fs.rmSync(record, { force: true });
      // Another process may already have acquired the empty lock, or removed it.
      succeeds(() => fs.rmdirSync(lockDir), 'ENOENT', 'ENOTEMPTY', 'EEXIST');
    },
  };
}

/** Acquires the lock. Returns the path of the record, or null if the lock contains the record of another process. */
function tryAcquire(lockDir: string): string | null {
  const id = randomUUID();
  const candidate = `${lockDir}.${id}`;
  try {
    fs.mkdirSync(candidate, { mode: 0o700 });
    const file = path.join(candidate, id);
    fs.writeFileSync(file, '', { mode: 0o600 });
    const owner: Owner = {
      pid: process.pid,
      started: readProcessStatus(process.pid)?.startTicks ?? null,
      namespace: readPidNamespace(),
      host: os.hostname(),
      inode: fs.statSync(file).ino,
    };
    fs.writeFileSync(file, JSON.stringify(owner));
    const acquired = succeeds(() => fs.renameSync(candidate, lockDir), 'ENOTEMPTY', 'EEXIST');
    return acquired ? path.join(lockDir, id) : null;
  } finally {
    fs.rmSync(candidate, { recursive: true, force: true });
  }
}

/** Returns the path of the record in the lock, or null if the lock is free. */
function findRecord(lockDir: string): string | null {
  let names: string[] = [];
  succeeds(() => (names = fs.readdirSync(lockDir)), 'ENOENT');
  return names[0] === undefined ? null : path.join(lockDir, names[0]);
}

/** Returns null if the record does not exist, is a copy or has another format. */
function readOwner(record: string): Owner | null {
  try {
    const owner = JSON.parse(fs.readFileSync(record, 'utf8')) as Partial<Owner> | null;
    const isValid = typeof owner?.pid === 'number' && typeof owner.host === 'string';
    return isValid ? (owner as Owner) : null;
  } catch {
    return null;
  }
}

async function isActive(record: string, owner: Owner | null): Promise<boolean> {
  const inode = fs.statSync(record, { throwIfNoEntry: false })?.ino;
  const isLocal = owner?.namespace === readPidNamespace() && owner.inode === inode;
  if (isLocal && owner.started !== null) {
    const status = readProcessStatus(owner.pid);
    return status !== null && !status.hasExited && status.startTicks === owner.started;
  }
  return (!isLocal || isRunning(owner.pid)) && hasHeartbeat(record);
}

/** Waits for a heartbeat. The age of the latest one, by the clock of the file system, shortens the wait. */
async function hasHeartbeat(record: string): Promise<boolean> {
  const last = readModifiedMs(record);
  if (last === null) return false;
  const probe = `${path.dirname(record)}.${randomUUID()}`;
  fs.writeFileSync(probe, '');
  const now = fs.statSync(probe).mtimeMs;
  fs.rmSync(probe);
  // Not the wall clock, which can be set during the wait.
  const until = performance.now() + Math.min(staleAfterMs, staleAfterMs - (now - last));
  while (performance.now() < until) {
    await delay(200);
    const next = readModifiedMs(record);
    if (next === null) return false;
    if (next !== last) return true;
  }
  return false;
}

const readModifiedMs = (file: string): number | null =>
  fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;

function describeOwner(owner: Owner | null): string {
  if (!owner) return 'another process';
  return owner.namespace === readPidNamespace()
    ? `process ${owner.pid}`
    : `process ${owner.pid} on ${owner.host}`;
}

/** Runs an operation. Returns false if it fails with one of the expected error codes. */
function succeeds(operation: () => void, ...expectedCodes: readonly string[]): boolean {
  try {
    operation();
    return true;
  } catch (error) {
    if (expectedCodes.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
