/** Slow, endless, idle and too many clients, and a service with few file descriptors. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { findChildProcesses } from '../support/child-processes.ts';
import { runs } from '../support/property-runs.ts';
import {
  administrator,
  setUpAdministrator,
  readAnonKey,
  signInAsAdministrator,
  type Caller,
} from './api-client.ts';
import { isAlive, startWriteLoad, reportFault } from './write-load.ts';
import { connectTo, sendRaw } from './raw-http.ts';

const sockets: net.Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Opens a connection and sends the given bytes. */
async function open(product: Instance, bytes = ''): Promise<net.Socket> {
  const socket = connectTo(product);
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
  let product: Instance;
  let caller: Caller;
  beforeAll(async () => {
    product = await startInstance({ environment: { RATE_LIMITS: 'off', LOG_LEVEL: 'debug' } });
    await setUpAdministrator(product);
    caller = await signInAsAdministrator(product);
  });
  afterAll(async () => product.stop());

  it('OPS-07 request heads without an end are terminated, and other clients are not affected', async () => {
    const slow = await Promise.all(
      Array.from({ length: runs({ short: 100, long: 500 }) }, () =>
        open(product, 'GET /health HTTP/1.1\r\nHost: a\r\nX'),
      ),
    );
    const load = startWriteLoad(caller);
    const drip = setInterval(() => {
      for (const socket of slow) if (socket.writable) socket.write('x');
    }, 1000);
    await load.next();
    await Promise.all(slow.map(ended));
    clearInterval(drip);
    await load.next();
    await load.stop();
    const lost = await load.lost();
    reportFault(`${slow.length} heads that never end`, load, lost, 0);
    expect([lost, load.refused.size]).toEqual([[], 0]);
  });

  it('OPS-05 a body without an end is rejected at the limit, and its connection is closed', async () => {
    const socket = await open(
      product,
      'POST /auth/v1/recover HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
    const gone = ended(socket);
    const feed = setInterval(() => socket.writable && socket.write(chunk), 10);
    await expect.poll(() => answer, { timeout: 60_000 }).toContain('HTTP/1.1 413');
    await gone;
    clearInterval(feed);
  });

  it('OPS-05 a body whose client disconnects halfway logs no error', async () => {
    const apikey = await readAnonKey(product);
    const left = () => product.log().split('client disconnected').length - 1;
    for (const [index, path] of ['/auth/v1/recover', '/rest/v1/accounts'].entries()) {
      const socket = await open(
        product,
        `POST ${path} HTTP/1.1\r\nHost: a\r\napikey: ${apikey}\r\nAuthorization: Bearer ${caller.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email`,
      );
      socket.destroy();
      await expect.poll(left).toBe(index + 1);
    }
    expect(product.log()).not.toContain('"level":50');
  });

  it('OPS-05 a compressed body is not decompressed', async () => {
    const before = await sendRaw(
      product,
      'POST /auth/v1/recover HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00',
    );
    expect([400, 415]).toContain(before.statuses[0]);
  });

  it('a thousand idle connections do not block requests', async () => {
    await Promise.all(Array.from({ length: 1000 }, () => open(product)));
    const load = startWriteLoad(caller);
    await load.next();
    await load.stop();
    const lost = await load.lost();
    reportFault('1000 idle connections', load, lost, 0);
    expect([lost, load.refused.size]).toEqual([[], 0]);
  });

  it('REL-20 twice the sign-ins of the capacity get 503 with Retry-After, and the service recovers', async () => {
    const apikey = await readAnonKey(product);
    const signIn = async (): Promise<Response> =>
      fetch(`${product.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', apikey },
        body: JSON.stringify(administrator),
      });
    const load = startWriteLoad(caller);
    const answers = await Promise.all(Array.from({ length: 400 }, signIn));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(new Set(refused.map(({ headers }) => headers.get('Retry-After')))).toEqual(new Set(['5']));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    await load.next();
    expect((await signIn()).status).toBe(200);
    await expect.poll(() => product.log()).toContain('password hashing overloaded');
    expect(product.log()).not.toContain('"level":50');
    await load.stop();
    const lost = await load.lost();
    reportFault(`400 sign-ins at once, ${refused.length} of them refused`, load, lost, 0);
    expect([lost, load.refused.size]).toEqual([[], 0]);
  });
});

describe('few file descriptors', () => {
  it('OPS-08 REL-25 the service rejects requests, stays alive, and recovers', async () => {
    const product = await startInstance();
    // The database files are already open. The remaining descriptors must serve three hundred clients.
    const limit = fs.readdirSync(`/proc/${product.pid}/fd`).length + 50;
    execFileSync('prlimit', ['--pid', String(product.pid), `--nofile=${limit}:${limit}`]);
    const early = await open(product, 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
    let answers = '';
    early.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    await Promise.all(Array.from({ length: 300 }, () => open(product)));
    expect(isAlive(product)).toBe(true);
    // No descriptor is available for another hash process.
    for (const pid of findChildProcesses('hash-worker', product.pid)) process.kill(pid, 'SIGKILL');
    await expect.poll(() => product.log()).toContain('hashing process failed to start');
    early.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => answers.split('HTTP/1.1 200').length).toBe(3);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect
      .poll(async () => (await fetch(`${product.url}/ready`).catch(() => null))?.status, { timeout: 60_000 })
      .toBe(200);
    await expect.poll(() => findChildProcesses('hash-worker', product.pid)).toHaveLength(1);
    await setUpAdministrator(product);
    await product.stop();
  });
});

describe('a failing log output', () => {
  it.each([
    ['a closed pipe', 'exec "$@" 2> >(exec true)'],
    ['a full disk', 'exec "$@" 2> /dev/full'],
  ])('REL-24 does not stop the service: %s', async (_name, script) => {
    const product = await startInstance({
      through: ['bash', '--norc', '-c', script, 'bash'],
      environment: { LOG_LEVEL: 'debug' },
    });
    await setUpAdministrator(product);
    const load = startWriteLoad(await signInAsAdministrator(product));
    for (let count = 0; count < 5; count += 1) await load.next();
    await load.stop();
    expect(isAlive(product)).toBe(true);
    expect(load.refused.size).toBe(0);
    await product.stop();
  });
});
