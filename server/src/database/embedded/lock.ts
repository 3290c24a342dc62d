/**
 * The exclusive lock on a data directory: a Unix socket that the running service listens on. The
 * engine itself guards nothing, and two processes on one directory lose each other's rows. A socket
 * that answers belongs to a living service; one that refuses was left by a killed one.
 */
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

/** Connects to the service that runs on this directory; null when none does. */
export async function connectToService(dataDir: string): Promise<net.Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketPath(dataDir));
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null);
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

/** Who holds the lock: its first line tells. One that does not answer within a second stays unnamed. */
async function describeHolder(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    const unknown = setTimeout(() => resolve('another process'), 1000);
    readline.createInterface({ input: socket }).once('line', (text) => {
      clearTimeout(unknown);
      const { pid } = JSON.parse(text) as Greeting;
      resolve(`process ${pid}`);
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

/** Turns of this process. A file with our own id that is not here was left by an earlier process. */
const ownTurns = new Set<string>();

/** Two starts at the same moment look at the socket one after the other. */
function takeTurn(dataDir: string): () => void {
  const turn = path.join(dataDir, 'service.turn');
  const release = (): void => {
    ownTurns.delete(turn);
    fs.rmSync(turn, { force: true });
  };
  for (let attempt = 0; ; attempt += 1) {
    try {
      fs.writeFileSync(turn, String(process.pid), { flag: 'wx', mode: 0o600 });
      ownTurns.add(turn);
      return release;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const other = Number(fs.readFileSync(turn, 'utf8') || '0');
    const held = other === process.pid ? ownTurns.has(turn) : isAlive(other);
    if (attempt === 0 && !held) fs.rmSync(turn, { force: true });
    else throw new StartFailure(`${dataDir} is being opened by process ${other}. Try again.`);
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
