/**
 * The exclusive lock on a data directory: a file that names the owner, and a Unix socket on which the
 * running service listens. The engine itself guards nothing, and two processes on one directory lose each
 * other's rows. Either of the two keeps a second process out, so one that is deleted lets nobody in; the
 * running service makes it again. Where both are deleted at once, Linux still tells who writes the database's
 * files. What a killed process leaves is taken over.
 */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import readline from 'node:readline';
import { OperationalError } from '../errors.ts';
import { findWriter } from './open-file-writers.ts';
import { heartbeatIntervalMs, acquireOwnership, type Ownership } from './owner-file.ts';

export interface DirectoryLock {
  /** From now on answers whoever connects to the socket, and who is connected already. */
  serve(answer: (socket: net.Socket) => void): void;
  /** Gives a sign of life and makes again what is gone; the lock does so by itself every few seconds. */
  renew(): Promise<void>;
  release(): Promise<void>;
}

export interface LockEvents {
  /** Another process owns the directory now: nothing more may be written. */
  readonly onLost?: () => void;
  readonly onProblem?: (error: unknown) => void;
}

/** The first line that every connection to the lock's socket gets. */
export interface Greeting {
  readonly pid: number;
}

/** Longest socket path that Linux and macOS both take, in bytes. */
const longestPath = 103;

export const controlSocketPath = (dataDir: string): string => path.join(dataDir, 'service.sock');

/** Reset: it stopped listening while we waited for it, which is the last thing that a service does. */
const nobodyThere: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);

/** What else the system says of the socket, and what to do about it. */
const advices: Readonly<Record<string, string>> = {
  EACCES: 'It belongs to another user; run this as that user.',
  EPERM: 'It belongs to another user; run this as that user.',
  ENOTDIR: 'It is no folder.',
};

/**
 * Connects to the service that runs on this directory; null when none does.
 * @throws OperationalError where nobody can tell
 */
export async function connectToService(dataDir: string): Promise<net.Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(controlSocketPath(dataDir));
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const { code = 'unknown' } = error;
      if (nobodyThere.has(code)) return resolve(null);
      const advice = advices[code] ?? 'Set DATA_DIR to the folder of an instance.';
      reject(
        new OperationalError(`DATA_DIR ${dataDir} cannot be opened (${code}). ${advice}`, { cause: error }),
      );
    });
  });
}

/**
 * Takes the directory for this process.
 * @throws OperationalError naming the holder.
 */
export async function lockDirectory(dataDir: string, events: LockEvents = {}): Promise<DirectoryLock> {
  const file = controlSocketPath(dataDir);
  if (Buffer.byteLength(file) > longestPath) {
    throw new OperationalError(
      `DATA_DIR is too long for a socket: ${file} has more than ${longestPath} bytes.`,
    );
  }
  // Before anything is written: a service that finds another owner's file ends itself.
  const writer = findWriter(path.join(dataDir, 'database'));
  if (writer !== null) throw inUse(dataDir, `process ${writer}`);
  const owned = await acquireOwnership(dataDir);
  if (typeof owned === 'string') throw inUse(dataDir, owned);
  try {
    const holder = await connectToService(dataDir);
    if (holder) {
      const who = await describeHolder(holder);
      holder.destroy();
      throw inUse(dataDir, who);
    }
    fs.rmSync(file, { force: true });
    const server = net.createServer();
    await listen(server, file);
    const lock = held(server, file, owned, events);
    // Somebody may have moved the owner's file away while they looked whether it was left behind.
    if (!owned.renew()) {
      await lock.release();
      throw inUse(dataDir, 'another process');
    }
    return lock;
  } catch (error) {
    owned.release();
    throw error;
  }
}

function held(
  server: net.Server,
  file: string,
  owned: Ownership,
  { onLost, onProblem }: LockEvents,
): DirectoryLock {
  const inode = (): number | undefined => fs.statSync(file, { throwIfNoEntry: false })?.ino;
  let own = inode();
  let released = false;
  const connected = new Set<net.Socket>();
  let answer: ((socket: net.Socket) => void) | undefined;
  server.on('connection', (socket) => {
    connected.add(socket);
    socket.once('close', () => connected.delete(socket));
    // Whoever leaves in the middle is gone; that is no fault of ours.
    socket.on('error', () => {});
    answer?.(socket);
  });
  const renew = async (): Promise<void> => {
    if (released) return;
    if (!owned.renew()) {
      clearInterval(timer);
      onLost?.();
      return;
    }
    if (inode() === own) return;
    // Whoever is connected goes on; closing also removes what took the socket's place.
    server.close();
    await listen(server, file);
    own = inode();
  };
  const timer = setInterval(
    () => void renew().catch((error: unknown) => onProblem?.(error)),
    heartbeatIntervalMs,
  );
  timer.unref();
  return {
    serve: (next) => {
      answer = next;
      connected.forEach(next);
    },
    renew,
    release: async () => {
      released = true;
      clearInterval(timer);
      const closed = new Promise((resolve) => server.close(resolve));
      // Whoever reads on at leisure, as through a pager, would keep the process from ending.
      for (const socket of connected) socket.destroy();
      await closed;
      owned.release();
    },
  };
}

const inUse = (dataDir: string, who: string): OperationalError =>
  new OperationalError(`${dataDir} is in use by ${who}. Stop it first, or set another DATA_DIR.`);

/** Who holds the lock: its first line tells. One that ends, or does not answer within a second, stays unnamed. */
async function describeHolder(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    const unknown = (): void => resolve('another process');
    const limit = setTimeout(unknown, 1000);
    const lines = readline.createInterface({ input: socket });
    lines.once('line', (text) => {
      const pid = pidOf(text);
      if (pid === null) unknown();
      else resolve(`process ${pid}`);
    });
    lines.once('error', unknown);
    lines.once('close', () => {
      clearTimeout(limit);
      unknown();
    });
  });
}

/** Null for what is no greeting: any program may listen there. */
function pidOf(text: string): number | null {
  try {
    const greeting = JSON.parse(text) as Partial<Greeting> | null;
    return Number.isInteger(greeting?.pid) ? Number(greeting?.pid) : null;
  } catch {
    return null;
  }
}

async function listen(server: net.Server, file: string): Promise<void> {
  // Whoever may connect may command the service: the owner alone, from the first moment on.
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(file, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } finally {
    process.umask(before);
  }
}
