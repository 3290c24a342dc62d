/** The built service as a separate process, with helpers of all benchmarks. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../apps/server/bin/lanternrock.mjs', import.meta.url));

export async function freePort() {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

/** Ends a child process and waits for it. */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Waits until `works` resolves to true. Retries every `pause` ms. */
export async function waitUntil(works, { limit = 60_000, pause = 100 } = {}) {
  const start = Date.now();
  while (!(await works().catch(() => false))) {
    if (Date.now() - start > limit) throw new Error('A server did not start');
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/**
 * Starts an instance.
 *
 * @param environment settings of the instance
 * @param dataDir directory to keep; without it a new one is created, and deleted by `stop`
 * @returns url, pid, dataDir, logFile, `startedIn`: milliseconds until the Auth API responded
 */
export async function startInstance({ environment = {}, nodeOptions = [], dataDir } = {}) {
  const directory = dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-bench-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Logging at the default level is part of the work. The end of the log contains the cause of a failed start.
  const logFile = `${directory}.${port}.log`;
  const log = fs.openSync(logFile, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, entry, 'start'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: directory,
      PORT: String(port),
      RATE_LIMITS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'ignore', log],
  });
  fs.closeSync(log);
  await waitUntil(async () => (await fetch(`${url}/auth/v1/health`)).ok, { pause: 5 }).catch((error) => {
    child.kill();
    throw new Error(fs.readFileSync(logFile, 'utf8').slice(-2000), { cause: error });
  });
  return {
    url,
    pid: child.pid,
    dataDir: directory,
    logFile,
    startedIn: Math.round(performance.now() - startedAt),
    stop: async () => {
      await stopProcess(child);
      fs.rmSync(logFile, { force: true });
      if (dataDir === undefined) fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Returns the resident memory of a process in MiB. */
export const residentMemory = (pid) =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024);
