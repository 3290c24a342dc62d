/** Shutdown of the built service, and the share that one connection can use. */
import http from 'node:http';
import { expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { connectTo } from './raw-http.ts';

interface Response {
  readonly status: number;
  readonly connection: string | undefined;
}

const get = (instance: Instance, path: string, agent?: http.Agent): Promise<Response> =>
  new Promise((resolve, reject) => {
    http
      .get(`${instance.url}${path}`, {
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
