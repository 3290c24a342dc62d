/**
 * The exclusive lock on a data directory: a Unix socket that the running service listens on. The
 * engine itself guards nothing, and two processes on one directory lose each other's rows. A socket
 * that answers belongs to a living service; one that refuses was left by a killed one.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import readline from 'node:readline';
import { StartFailure } from '../../errors.ts';

export interface DirectoryLock {
  /** The service's side of the socket, for commands of the command line. */
  readonly server: net.Server;
  release(): Promise<void>;
}

/** The first line that every connection to the lock's socket gets. */
export interface Greeting {
  readonly pid: number;
}

/** Longest socket path that Linux and macOS both take, in bytes. */
const longestPath = 103;

export const socketPath = (dataDir: string): string => path.join(dataDir, 'service.sock');

/** Reset: it stopped listening while we waited for it, which is the last thing that a service does. */
const nobodyThere: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);

/** Connects to the service that runs on this directory; null when none does. */
export async function connectToService(dataDir: string): Promise<net.Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketPath(dataDir));
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (nobodyThere.has(error.code)) resolve(null);
      else reject(error);
    });
  });
}

/**
 * Takes the directory for this process.
 * @throws StartFailure naming the holder.
 */
export async function lockDirectory(dataDir: string): Promise<DirectoryLock> {
  const file = socketPath(dataDir);
  if (Buffer.byteLength(file) > longestPath) {
    throw new StartFailure(`DATA_DIR is too long for a socket: ${file} has more than ${longestPath} bytes.`);
  }
  const release = takeTurn(dataDir);
  try {
    const holder = await connectToService(dataDir);
    if (holder) {
      const who = await describeHolder(holder);
      holder.destroy();
      throw new StartFailure(`${dataDir} is in use by ${who}. Stop it first, or set another DATA_DIR.`);
    }
    fs.rmSync(file, { force: true });
    const server = net.createServer();
    await listen(server, file);
    return {
      server,
      release: async () => {
        await new Promise((resolve) => server.close(resolve));
      },
    };
  } finally {
    release();
  }
}

/** Who holds the lock: its first line tells. One that ends, or does not answer within a second, stays unnamed. */
async function describeHolder(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    const unknown = (): void => resolve('another process');
    const limit = setTimeout(unknown, 1000);
    const lines = readline.createInterface({ input: socket });
    lines.once('line', (text) => {
      const { pid } = JSON.parse(text) as Greeting;
      resolve(`process ${pid}`);
    });
    lines.once('error', unknown);
    lines.once('close', () => {
      clearTimeout(limit);
      unknown();
    });
  });
}

async function listen(server: net.Server, file: string): Promise<void> {
  // Whoever may connect may command the service: the owner alone, from the first moment on.
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(file, resolve);
    });
  } finally {
    process.umask(before);
  }
}

/** Turns of this process. One with our own id that is not here was left by an earlier process. */
const ownTurns = new Set<string>();

/**
 * Two starts at the same moment look at the socket one after the other. A turn is a file that says whose
 * it is from the moment on that it has its name, so nobody takes one that is just being written for one
 * that was left behind.
 */
function takeTurn(dataDir: string): () => void {
  const file = path.join(dataDir, 'service.turn');
  const own = `${process.pid} ${randomUUID()}`;
  const prepared = path.join(dataDir, `service.turn.${own.replace(' ', '.')}`);
  fs.writeFileSync(prepared, own, { flag: 'wx', mode: 0o600 });
  try {
    for (let tries = 0; tries < 10; tries += 1) {
      if (linkUnlessThere(prepared, file)) {
        ownTurns.add(own);
        return () => {
          ownTurns.delete(own);
          fs.rmSync(file, { force: true });
        };
      }
      const other = readIfThere(file);
      if (other === null) continue;
      if (isHeld(other)) throw isBeingOpened(dataDir, other);
      removeLeft(file, other, `${prepared}.left`);
    }
    throw isBeingOpened(dataDir, '');
  } finally {
    fs.rmSync(prepared);
  }
}

const isBeingOpened = (dataDir: string, turn: string): StartFailure => {
  const who = turn === '' ? 'other processes' : `process ${pidOf(turn)}`;
  return new StartFailure(`${dataDir} is being opened by ${who}. Try again.`);
};

const pidOf = (turn: string): number => Number(turn.split(' ', 1)[0]);

const isHeld = (turn: string): boolean =>
  pidOf(turn) === process.pid ? ownTurns.has(turn) : isAlive(pidOf(turn));

/** Moves a turn away that nobody holds any more. What somebody else has put there meanwhile goes back. */
function removeLeft(file: string, left: string, aside: string): void {
  if (!unlessMissing(() => fs.renameSync(file, aside))) return;
  if (readIfThere(aside) !== left) linkUnlessThere(aside, file);
  fs.rmSync(aside);
}

function readIfThere(file: string): string | null {
  let text: string | null = null;
  unlessMissing(() => {
    text = fs.readFileSync(file, 'utf8');
  });
  return text;
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

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
