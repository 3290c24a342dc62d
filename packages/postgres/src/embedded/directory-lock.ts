/**
 * Locks a data directory for one process, because two engines on one directory overwrite each other's rows. The lock
 * consists of an owner file and the Unix socket of the running service. Each of them blocks a second process, and the
 * running service restores a deleted one. If both are deleted, Linux still shows the process that writes the database
 * files. A stale lock of a killed process is replaced.
 */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import readline from 'node:readline';
import { OperationalError } from '../errors.ts';
import { findWriter } from './open-file-writers.ts';
import { heartbeatIntervalMs, acquireOwnership, type Ownership } from './owner-file.ts';

export interface DirectoryLock {
  /** Passes existing and future connections of the socket to `onConnection`. */
  serve(onConnection: (socket: net.Socket) => void): void;
  /** Writes a heartbeat and restores a deleted owner file or socket. The lock calls it every few seconds. */
  renew(): Promise<void>;
  release(): Promise<void>;
}

export interface LockEvents {
  /** Called when another process owns the directory. This process must not write to it. */
  readonly onLost?: () => void;
  /** Called when the lock cannot be renewed. */
  readonly onError?: (error: unknown) => void;
}

/** First line that the service sends on each connection to its socket, as JSON. */
export interface Greeting {
  readonly pid: number;
}

/** Maximum length of a socket path on Linux and macOS, in bytes. */
const maxPathBytes = 103;

export const controlSocketPath = (dataDir: string): string => path.join(dataDir, 'service.sock');

/** Connection errors that mean that no service runs. ECONNRESET: the service stopped during the connect. */
const notRunningCodes: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);

/** Fixes by error code of the connection. */
const fixes: Readonly<Record<string, string>> = {
  EACCES: 'It is owned by another user. Run the command as that user.',
  EPERM: 'It is owned by another user. Run the command as that user.',
  ENOTDIR: 'It is not a directory.',
};

/**
 * Connects to the service that uses a data directory.
 *
 * @returns the connection, or null if no service runs
 * @throws OperationalError if the socket cannot be accessed
 */
export async function connectToService(dataDir: string): Promise<net.Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(controlSocketPath(dataDir));
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const { code = 'unknown' } = error;
      if (notRunningCodes.has(code)) return resolve(null);
      const fix = fixes[code] ?? 'Set DATA_DIR to the directory of an instance.';
      reject(
        new OperationalError(`DATA_DIR ${dataDir} cannot be opened (${code}). ${fix}`, { cause: error }),
      );
    });
  });
}

/**
 * Locks a data directory for this process.
 *
 * @throws OperationalError if another process owns it
 */
export async function lockDirectory(dataDir: string, events: LockEvents = {}): Promise<DirectoryLock> {
  const file = controlSocketPath(dataDir);
  if (Buffer.byteLength(file) > maxPathBytes) {
    throw new OperationalError(
      `DATA_DIR is too long for a socket: ${file} has more than ${maxPathBytes} bytes.`,
    );
  }
  // Checked before the owner file is written, because a running service exits if it finds the file of another owner.
  const writer = findWriter(path.join(dataDir, 'database'));
  if (writer !== null) throw inUse(dataDir, `process ${writer}`);
  const ownership = await acquireOwnership(dataDir);
  if (typeof ownership === 'string') throw inUse(dataDir, ownership);
  try {
    const socket = await connectToService(dataDir);
    if (socket) {
      const owner = await describeOwner(socket);
      socket.destroy();
      throw inUse(dataDir, owner);
    }
    fs.rmSync(file, { force: true });
    const server = net.createServer();
    await listen(server, file);
    const lock = createLock(server, file, ownership, events);
    // A concurrent start can have moved the owner file away while it checked whether the file was stale.
    if (!ownership.renew()) {
      await lock.release();
      throw inUse(dataDir, 'another process');
    }
    return lock;
  } catch (error) {
    ownership.release();
    throw error;
  }
}

function createLock(
  server: net.Server,
  file: string,
  ownership: Ownership,
  { onLost, onError }: LockEvents,
): DirectoryLock {
  const inode = (): number | undefined => fs.statSync(file, { throwIfNoEntry: false })?.ino;
  let socketInode = inode();
  let released = false;
  const sockets = new Set<net.Socket>();
  let onConnection: ((socket: net.Socket) => void) | undefined;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A disconnect of the client is not an error.
    socket.on('error', () => {});
    onConnection?.(socket);
  });
  const renew = async (): Promise<void> => {
    if (released) return;
    if (!ownership.renew()) {
      clearInterval(timer);
      onLost?.();
      return;
    }
    if (inode() === socketInode) return;
    // Existing connections stay open. Closing also deletes a file that has replaced the socket.
    server.close();
    await listen(server, file);
    socketInode = inode();
  };
  const timer = setInterval(
    () => void renew().catch((error: unknown) => onError?.(error)),
    heartbeatIntervalMs,
  );
  timer.unref();
  return {
    serve: (next) => {
      onConnection = next;
      sockets.forEach(next);
    },
    renew,
    release: async () => {
      released = true;
      clearInterval(timer);
      const closed = new Promise((resolve) => server.close(resolve));
      // A slow reader, such as a pager, would keep the process running.
      for (const socket of sockets) socket.destroy();
      await closed;
      ownership.release();
    },
  };
}

const inUse = (dataDir: string, owner: string): OperationalError =>
  new OperationalError(`${dataDir} is in use by ${owner}. Stop it first, or set another DATA_DIR.`);

/** Returns the owner from its greeting, or `another process` if no greeting arrives within a second. */
async function describeOwner(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    const unknown = (): void => resolve('another process');
    const timer = setTimeout(unknown, 1000);
    const lines = readline.createInterface({ input: socket });
    lines.once('line', (text) => {
      const pid = parseGreetingPid(text);
      if (pid === null) unknown();
      else resolve(`process ${pid}`);
    });
    lines.once('error', unknown);
    lines.once('close', () => {
      clearTimeout(timer);
      unknown();
    });
  });
}

/** Returns null if the text is not a greeting, because any program can listen on the socket. */
function parseGreetingPid(text: string): number | null {
  try {
    const greeting = JSON.parse(text) as Partial<Greeting> | null;
    return Number.isInteger(greeting?.pid) ? Number(greeting?.pid) : null;
  } catch {
    return null;
  }
}

async function listen(server: net.Server, file: string): Promise<void> {
  // Connections can run commands, so only the owner may connect. Changing the mode after listening would be too late.
  const previousUmask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(file, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } finally {
    process.umask(previousUmask);
  }
}
