/** Shutdown of the built service, and the share that one connection can use. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { runs } from '@lanternrock/testing/property-runs';
import { expect, it } from 'vitest';
import { productEntry, startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { connectTo } from './raw-http.ts';

interface Response {
  readonly status: number;
  readonly connection: string | undefined;
}

const get = (instance: Instance, target: string, agent?: http.Agent): Promise<Response> =>
  new Promise((resolve, reject) => {
    http
      .get(`${instance.url}${target}`, {
        ...(agent && { agent }),
        headers: { apikey: instance.serviceRoleKey() },
      })
      .on('error', reject)
      .on('response', (response) => {
        response.resume().on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }),
        );
      });
  });

/** Sends requests on one connection until a response closes it. */
async function keepSending(
  instance: Instance,
  counts: { completed: number; aborted: number },
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      const { status, connection } = await get(instance, '/rest/v1/accounts?select=id&limit=5', agent);
      expect(status).toBe(200);
      counts.completed += 1;
      if (connection === 'close') return;
    }
  } catch {
    counts.aborted += 1;
  } finally {
    agent.destroy();
  }
}

it('a stop completes every request of 20 persistent connections, and /ready returns 503 from its start', async () => {
  const instance = await startInstance();
  const counts = { completed: 0, aborted: 0 };
  const clients = Array.from({ length: 20 }, () => keepSending(instance, counts));
  await expect.poll(() => counts.completed).toBeGreaterThan(60);
  // A request whose body is being sent when the signal arrives.
  const slow = connectTo(instance);
  let response = '';
  slow.on('data', (bytes: Buffer) => (response += bytes.toString()));
  const ended = new Promise((resolve) => slow.once('close', resolve));
  slow.write(
    'POST /auth/v1/recover HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 26\r\n\r\n{"email":',
  );
  // An unused connection, which must not delay the stop.
  const idle = connectTo(instance);
  await new Promise((resolve) => idle.once('connect', resolve));

  const startedAt = performance.now();
  const stopped = instance.stop();
  await expect.poll(() => instance.log()).toContain('"msg":"stopping"');
  expect(await get(instance, '/ready')).toEqual({ status: 503, connection: 'close' });
  slow.write('"a@example.org"} ');
  await Promise.all([...clients, stopped, ended]);
  const durationMs = performance.now() - startedAt;
  console.log(`Stop with 20 clients: ${Math.round(durationMs)} ms, ${JSON.stringify(counts)}`);
  expect(counts.aborted).toBe(0);
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  expect(response.toLowerCase()).toContain('connection: close');
});

it('a second signal ends a stop that takes long, but not the same Ctrl+C', async () => {
  const instance = await startInstance();
  const slow = connectTo(instance);
  slow.on('error', () => {});
  slow.write(
    'POST /auth/v1/recover HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 26\r\n\r\n{"email":',
  );
  expect((await get(instance, '/ready')).status).toBe(200);
  process.kill(instance.pid, 'SIGINT');
  await expect.poll(() => instance.log()).toContain('"msg":"stopping"');
  process.kill(instance.pid, 'SIGINT');
  await pause(1200);
  expect(instance.log()).not.toContain('second signal');
  await instance.kill('SIGTERM');
  expect(instance.log()).toContain('"msg":"second signal; killing the process"');
  await instance.stop();
});

it('a signal ends a start that waits for the database, also in the process with the ID 1', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-silent-'));
  let hasConnected = false;
  const silent = net.createServer(() => (hasConnected = true)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as net.AddressInfo;
  // As in a container. Only root may create a namespace.
  const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
  const through = isRoot ? ['unshare', '--pid', '--fork', '--kill-child'] : [];
  const [executable, ...args] = [...through, process.execPath, productEntry, 'start'];
  const child = spawn(executable, args, {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://ann@127.0.0.1:${port}/none`,
      DATABASE_WAIT: '20000',
      PORT: '0',
      SECRETS_KEY: randomBytes(32).toString('base64url'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, ended] = [readText(child.stderr), once(child, 'exit')];
  await expect.poll(() => hasConnected, { timeout: 60_000 }).toBe(true);
  const children = `/proc/${child.pid}/task/${child.pid}/children`;
  process.kill(isRoot ? Number(fs.readFileSync(children, 'utf8')) : (child.pid ?? 0), 'SIGTERM');
  expect([await ended, await output]).toEqual([[0, null], expect.stringContaining('"msg":"stopping"')]);
  silent.close();
  fs.rmSync(dataDir, { recursive: true });
});

it.each((['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGKILL'] as const).slice(0, runs({ short: 2, long: 4 })))(
  '%s to the process of `npm start` ends the service',
  async (signal) => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-npm-'));
    const template = process.env['INSTANCE_TEMPLATE'] ?? '';
    if (template) fs.cpSync(template, path.join(dataDir, 'database'), { recursive: true });
    const npm = spawn('npm', ['start'], {
      env: { PATH: process.env['PATH'], HOME: dataDir, DATA_DIR: dataDir, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr])
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
    // Each process of the start holds the pipes.
    const closed = new Promise((resolve) => npm.once('close', resolve));
    await expect.poll(() => output, { timeout: 120_000 }).toContain('listening on');
    npm.kill(signal);
    await closed;
    expect(output).toContain('"msg":"stopping"');
    fs.rmSync(dataDir, { recursive: true, force: true });
  },
);

it('pipelined requests of one client are processed in order and delay no other client', async () => {
  const instance = await startInstance();
  const total = 1000;
  const socket = connectTo(instance);
  let text = '';
  const responses = (): number => text.split('HTTP/1.1 200').length - 1;
  let sent = 0;
  /** Keeps 60 requests pending: the service closes a connection with more than 64. */
  const send = (): void => {
    const count = Math.min(total, responses() + 60) - sent;
    socket.write('GET /ready HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
    sent += count;
  };
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
    send();
  });
  send();
  await expect.poll(responses).toBeGreaterThan(0);
  const before = responses();
  expect((await get(instance, '/ready')).status).toBe(200);
  const responsesBefore = responses() - before;
  await expect.poll(responses, { timeout: 120_000 }).toBe(total);
  console.log(
    `${responsesBefore} of ${total} pipelined requests were completed before that of another client`,
  );
  expect(responsesBefore).toBeLessThan(100);
  socket.destroy();
  await instance.stop();
});
