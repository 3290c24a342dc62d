/**
 * The control socket: a Unix socket in the data directory, on which the owner of an embedded database receives commands.
 * Its first line on each connection is the process ID of the owner as JSON: `{"pid":4711,"protocol":2}`.
 */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import readline from 'node:readline';
import { OperationalError } from '@lanternrock/postgres/errors';

export interface ControlSocket {
  /** Passes existing and future connections to `onConnection`. */
  serve(onConnection: (socket: net.Socket) => void): void;
  /** Restores a deleted socket. Called every few seconds. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** Version of the messages after the first line. Both sides must have the same. */
export const commandProtocol = 2;

const renewIntervalMs = 2000;

/** Maximum length of a socket path on Linux and macOS, in bytes. */
const maxPathBytes = 103;

export const toControlSocketPath = (dataDir: string): string => path.join(dataDir, 'service.sock');

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
    const socket = net.connect(toControlSocketPath(dataDir));
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
 * Finds the process that listens on the control socket.
 *
 * @returns a description for messages: `another process` if it does not send its ID within a second; null if there is none
 * @throws OperationalError if the socket cannot be accessed
 */
export async function findService(dataDir: string): Promise<string | null> {
  const socket = await connectToService(dataDir);
  if (!socket) return null;
  const lines = readline.createInterface({ input: socket });
  const timer = setTimeout(() => lines.close(), 1000);
  try {
    for await (const line of lines) {
      const [, pid] = /^\{"pid":(\d+)[,}]/.exec(line) ?? [];
      return pid === undefined ? 'another process' : `process ${pid}`;
    }
    return 'another process';
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/**
 * Opens the control socket. The caller owns the lock of the directory, so an existing socket is of a killed process.
 *
 * @param onError called when a deleted socket cannot be restored
 * @throws OperationalError if the path is too long
 */
export async function openControlSocket(
  dataDir: string,
  onError?: (error: unknown) => void,
): Promise<ControlSocket> {
  const file = toControlSocketPath(dataDir);
  if (Buffer.byteLength(file) > maxPathBytes) {
    throw new OperationalError(
      `DATA_DIR is too long for a socket: ${file} has more than ${maxPathBytes} bytes.`,
    );
  }
  const sockets = new Set<net.Socket>();
  let onConnection: ((socket: net.Socket) => void) | undefined;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A disconnect of the client is not an error.
    socket.on('error', () => {});
    socket.write(`${JSON.stringify({ pid: process.pid, protocol: commandProtocol })}\n`);
    onConnection?.(socket);
  });
  const inode = (): number | undefined => fs.statSync(file, { throwIfNoEntry: false })?.ino;
  fs.rmSync(file, { force: true });
  await listen(server, file);
  let socketInode = inode();
  let closed = false;
  const restore = async (): Promise<void> => {
    if (closed || (server.listening && inode() === socketInode)) return;
    // Existing connections stay open.
    if (server.listening) server.close();
    fs.rmSync(file, { force: true });
    await listen(server, file);
    if (closed) server.close();
    else socketInode = inode();
  };
  let renewal: Promise<void> | null = null;
  const renew = (): Promise<void> => {
    renewal ??= restore().finally(() => {
      renewal = null;
    });
    return renewal;
  };
  const timer = setInterval(() => void renew().catch((error: unknown) => onError?.(error)), renewIntervalMs);
  timer.unref();
  return {
    serve: (next) => {
      onConnection = next;
      sockets.forEach(next);
    },
    renew,
    close: async () => {
      clearInterval(timer);
      closed = true;
      const done = new Promise((resolve) => server.close(resolve));
      // A slow reader, such as a pager, would keep the process running.
      for (const socket of sockets) socket.destroy();
      await done;
    },
  };
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
