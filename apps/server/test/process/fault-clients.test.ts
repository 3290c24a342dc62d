/** Slow, endless, idle and too many clients, and a service with few file descriptors. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { findChildProcesses } from '@lanternrock/testing/child-processes';
import { runs } from '@lanternrock/testing/property-runs';
import {
  administrator,
  setUpAdministrator,
  readAnonKey,
  signInAsAdministrator,
  type ApiClient,
} from './api-client.ts';
import { isAlive, startWriteLoad, reportFault } from './write-load.ts';
import { connectTo, sendRaw } from './raw-http.ts';

const sockets: net.Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Opens a connection and sends the given bytes. */
async function open(instance: Instance, bytes = ''): Promise<net.Socket> {
  const socket = connectTo(instance);
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve).once('error', resolve));
  if (bytes) socket.write(bytes);
  return socket;
}

const ended = async (socket: net.Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.resume();
  });

describe('misbehaving clients', () => {
  let instance: Instance;
  let client: ApiClient;
  beforeAll(async () => {
    instance = await startInstance({ environment: { RATE_LIMITS: 'off', LOG_LEVEL: 'debug' } });
    await setUpAdministrator(instance);
    client = await signInAsAdministrator(instance);
  });
  afterAll(async () => instance.stop());

  it(
    'request heads without an end are terminated, and other clients are not affected',
    { tags: ['OPS-07'] },
    async () => {
      const slow = await Promise.all(
        Array.from({ length: runs({ short: 100, long: 500 }) }, () =>
          open(instance, 'GET /health HTTP/1.1\r\nHost: a\r\nX'),
        ),
      );
      const load = startWriteLoad(client);
      const timer = setInterval(() => {
        for (const socket of slow) if (socket.writable) socket.write('x');
      }, 1000);
      await load.next();
      await Promise.all(slow.map(ended));
      clearInterval(timer);
      await load.next();
      await load.stop();
      const lost = await load.lost();
      reportFault(`${slow.length} heads that never end`, load, lost, 0);
      expect([lost, load.rejected.size]).toEqual([[], 0]);
    },
  );

  it(
    'a body without an end is rejected at the limit, and its connection is closed',
    { tags: ['OPS-05'] },
    async () => {
      const socket = await open(
        instance,
        'POST /auth/v1/recover HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      let response = '';
      socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
      const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
      const closed = ended(socket);
      const timer = setInterval(() => socket.writable && socket.write(chunk), 10);
      await expect.poll(() => response, { timeout: 60_000 }).toContain('HTTP/1.1 413');
      await closed;
      clearInterval(timer);
    },
  );

  it('a body whose client disconnects halfway logs no error', { tags: ['OPS-05'] }, async () => {
    const apikey = await readAnonKey(instance);
    const countDisconnects = () => instance.log().split('client disconnected').length - 1;
    for (const [index, path] of ['/auth/v1/recover', '/rest/v1/accounts'].entries()) {
      const socket = await open(
        instance,
        `POST ${path} HTTP/1.1\r\nHost: a\r\napikey: ${apikey}\r\nAuthorization: Bearer ${client.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email`,
      );
      socket.destroy();
      await expect.poll(countDisconnects).toBe(index + 1);
    }
    expect(instance.log()).not.toContain('"level":50');
  });

  it('a compressed body is not decompressed', { tags: ['OPS-05'] }, async () => {
    const before = await sendRaw(
      instance,
      'POST /auth/v1/recover HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00',
    );
    expect([400, 415]).toContain(before.statuses[0]);
  });

  it('a thousand idle connections do not block requests', async () => {
    await Promise.all(Array.from({ length: 1000 }, () => open(instance)));
    const load = startWriteLoad(client);
    await load.next();
    await load.stop();
    const lost = await load.lost();
    reportFault('1000 idle connections', load, lost, 0);
    expect([lost, load.rejected.size]).toEqual([[], 0]);
  });

  it(
    'twice the sign-ins of the capacity get 503 with Retry-After, and the service recovers',
    { tags: ['REL-20'] },
    async () => {
      const apikey = await readAnonKey(instance);
      const signIn = async (): Promise<Response> =>
        fetch(`${instance.url}/auth/v1/token?grant_type=password`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', apikey },
          body: JSON.stringify(administrator),
        });
      const load = startWriteLoad(client);
      const responses = await Promise.all(Array.from({ length: 400 }, signIn));
      const rejected = responses.filter(({ status }) => status !== 200);
      expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set([503]));
      expect(new Set(rejected.map(({ headers }) => headers.get('Retry-After')))).toEqual(new Set(['5']));
      await Promise.all(responses.map((response) => response.arrayBuffer()));
      await load.next();
      expect((await signIn()).status).toBe(200);
      await expect.poll(() => instance.log()).toContain('password hashing overloaded');
      expect(instance.log()).not.toContain('"level":50');
      await load.stop();
      const lost = await load.lost();
      reportFault(`400 concurrent sign-ins, ${rejected.length} of them rejected`, load, lost, 0);
      expect([lost, load.rejected.size]).toEqual([[], 0]);
    },
  );
});

describe('few file descriptors', () => {
  it('the service rejects requests, stays alive, and recovers', { tags: ['OPS-08', 'REL-25'] }, async () => {
    const instance = await startInstance();
    // The database files are already open. The remaining descriptors must serve three hundred clients.
    const limit = fs.readdirSync(`/proc/${instance.pid}/fd`).length + 50;
    execFileSync('prlimit', ['--pid', String(instance.pid), `--nofile=${limit}:${limit}`]);
    const early = await open(instance, 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
    let responses = '';
    early.on('data', (chunk: Buffer) => (responses += chunk.toString()));
    await Promise.all(Array.from({ length: 300 }, () => open(instance)));
    expect(isAlive(instance)).toBe(true);
    // Usually, no descriptor is available for another hash process. On a busy machine, some connections are closed already.
    for (const pid of findChildProcesses('hash-worker', instance.pid)) process.kill(pid, 'SIGKILL');
    await expect.poll(() => instance.log()).toMatch(/hashing process (?:failed to start|exited)/);
    early.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => responses.split('HTTP/1.1 200').length).toBe(3);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect
      .poll(async () => (await fetch(`${instance.url}/ready`).catch(() => null))?.status, { timeout: 60_000 })
      .toBe(200);
    await expect.poll(() => findChildProcesses('hash-worker', instance.pid)).toHaveLength(1);
    await setUpAdministrator(instance);
    await instance.stop();
  });
});

describe('a failing log output', () => {
  it.each([
    ['a closed pipe', 'exec "$@" 2> >(exec true)'],
    ['a full disk', 'exec "$@" 2> /dev/full'],
  ])('does not stop the service: %s', { tags: ['REL-24'] }, async (_name, script) => {
    const instance = await startInstance({
      through: ['bash', '--norc', '-c', script, 'bash'],
      environment: { LOG_LEVEL: 'debug' },
    });
    await setUpAdministrator(instance);
    const load = startWriteLoad(await signInAsAdministrator(instance));
    for (let count = 0; count < 5; count += 1) await load.next();
    await load.stop();
    expect(isAlive(instance)).toBe(true);
    expect(load.rejected.size).toBe(0);
    await instance.stop();
  });
});
