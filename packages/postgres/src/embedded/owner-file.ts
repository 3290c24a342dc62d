/**
 * The file that says which process owns a data directory. Unlike the socket beside it, it can be judged
 * from another container or machine: there its age decides, for its owner touches it again and again.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface Owner {
  readonly pid: number;
  /** When the process began, in ticks since the boot; null where the system does not tell. */
  readonly started: string | null;
  /** Where its process id means something: processes of one place see one another. */
  readonly place: string;
  readonly host: string;
  /** Of this file: a copy of the directory is not owned. */
  readonly inode: number;
  readonly id: string;
}

/** Milliseconds between two signs of life. */
export const heartbeatIntervalMs = 2000;

/** An owner that cannot be looked up is gone when it was silent for so long, in milliseconds. */
const silence = 20_000;

const ownerPath = (dataDir: string): string => path.join(dataDir, 'service.owner');

export interface Ownership {
  /** Gives a sign of life. @returns false when the directory is somebody else's now. */
  renew(): boolean;
  release(): void;
}

/** @returns the ownership, or who holds the directory, in words. */
export async function acquireOwnership(dataDir: string): Promise<Ownership | string> {
  const file = ownerPath(dataDir);
  const own = prepare(file);
  try {
    for (let tries = 0; tries < 10; tries += 1) {
      if (linkUnlessThere(own.prepared, file)) return ownership(file, own.text);
      const other = look(file);
      if (other === null) continue;
      if (await isHeld(file, other)) return nameOf(other.text);
      removeLeft(file, other.text, `${own.prepared}.left`);
    }
    return 'other processes that are starting';
  } finally {
    fs.rmSync(own.prepared, { force: true });
  }
}

function ownership(file: string, text: string): Ownership {
  let own = text;
  return {
    renew: () => {
      const found = look(file)?.text;
      if (found !== undefined && found !== own) return false;
      if (found !== undefined && unlessMissing(() => touch(file, own))) return true;
      const next = prepare(file);
      try {
        own = next.text;
        return linkUnlessThere(next.prepared, file);
      } finally {
        fs.rmSync(next.prepared, { force: true });
      }
    },
    release: () => {
      if (look(file)?.text === own) fs.rmSync(file, { force: true });
    },
  };
}

/** It says whose it is from the moment on that it has its name: nobody takes a new one for one left behind. */
function prepare(file: string): { prepared: string; text: string } {
  const id = randomUUID();
  const prepared = `${file}.${id}`;
  fs.writeFileSync(prepared, '', { flag: 'wx', mode: 0o600 });
  const owner: Owner = {
    pid: process.pid,
    started: startOf(process.pid),
    place: placeHere(),
    host: os.hostname(),
    inode: fs.statSync(prepared).ino,
    id,
  };
  const text = JSON.stringify(owner);
  fs.writeFileSync(prepared, text);
  return { prepared, text };
}

async function isHeld(file: string, { text, inode }: Look): Promise<boolean> {
  const owner = readOwner(text);
  const known = owner && owner.inode === inode && owner.place === placeHere();
  if (!known) return beats(file);
  if (!isAlive(owner.pid)) return false;
  if (owner.started !== null) return startOf(owner.pid) === owner.started;
  return beats(file);
}

/** Whether the owner gives a sign of life; judged by the clock of the file system, then by waiting. */
async function beats(file: string): Promise<boolean> {
  const probe = `${file}.${randomUUID()}`;
  fs.writeFileSync(probe, '', { flag: 'wx', mode: 0o600 });
  const now = fs.statSync(probe).mtimeMs;
  fs.rmSync(probe);
  const last = touched(file);
  if (last === null) return false;
  const until = Date.now() + Math.min(silence, silence - (now - last));
  while (Date.now() < until) {
    await pause(200);
    const next = touched(file);
    if (next === null) return false;
    if (next !== last) return true;
  }
  return false;
}

function nameOf(text: string): string {
  const owner = readOwner(text);
  if (!owner) return 'another process';
  return owner.place === placeHere() ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.host}`;
}

/** Null for what this product did not write. */
function readOwner(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    return typeof owner?.pid === 'number' && typeof owner.host === 'string' ? (owner as Owner) : null;
  } catch {
    return null;
  }
}

/** On Linux this boot and this set of process ids, which containers have of their own (proc(5)). */
function placeHere(): string {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}

/** When a process began, in ticks since the boot; null where the system does not say. */
const startOf = (pid: number): string | null => statOf(pid)?.[19] ?? null;

/** The fields from the third on; the second, in parentheses, may contain anything (proc(5)). */
function statOf(pid: number): string[] | null {
  try {
    const line = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** A zombie has ended and only waits until its parent reads its exit code; it holds no files. */
const hasEnded = (pid: number): boolean => /^[ZXx]/.test(statOf(pid)?.[0] ?? '');

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Moves away what nobody holds any more. What somebody else has put there meanwhile goes back. */
function removeLeft(file: string, left: string, aside: string): void {
  if (!unlessMissing(() => fs.renameSync(file, aside))) return;
  if (look(aside)?.text !== left) linkUnlessThere(aside, file);
  fs.rmSync(aside);
}

const touched = (file: string): number | null =>
  fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;

/** Writes what stands there already: its time then comes from the clock of the file system. */
function touch(file: string, text: string): void {
  const handle = fs.openSync(file, 'r+');
  try {
    fs.writeSync(handle, text, 0);
  } finally {
    fs.closeSync(handle);
  }
}

interface Look {
  readonly text: string;
  readonly inode: number;
}

/** Null when the file is not there. */
function look(file: string): Look | null {
  let found: Look | null = null;
  unlessMissing(() => {
    const handle = fs.openSync(file, 'r');
    try {
      found = { text: fs.readFileSync(handle, 'utf8'), inode: fs.fstatSync(handle).ino };
    } finally {
      fs.closeSync(handle);
    }
  });
  return found;
}

/** @returns false when the file is not there (any more). */
const unlessMissing = (act: () => void): boolean => unlessFails('ENOENT', act);

/** Gives a file a second name, which is one step: it is there as a whole or not at all. */
const linkUnlessThere = (from: string, to: string): boolean =>
  unlessFails('EEXIST', () => fs.linkSync(from, to));

function unlessFails(code: string, act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return false;
    throw error;
  }
}
