import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHttpServer, type HttpServer } from './http-server.ts';

let server: HttpServer;
/** Paths of the requests that the handler has received, in order. */
let started: string[];
/** Number of responses without a `close` event, which the metrics count. */
let open: number;
let respond: http.RequestListener;
let sockets: net.Socket[];

beforeEach(async () => {
  [started, open, sockets] = [[], 0, []];
  respond = (_request, response) => response.end();
  server = createHttpServer({ statementTimeoutMs: 1000, maxConnections: null });
  server.serve((request, response) => {
    started.push(request.url ?? '');
    respond(request, response);
  });
  server.server.prependListener('request', (_request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
  });
  server.server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.drain();
});

async function connect(): Promise<net.Socket> {
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen');
  const socket = net.connect(address.port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const pipelined = (count: number): string =>
  Array.from({ length: count }, (_, index) => request(`/${index}`)).join('');

it.each([
  ['a head that is too long', `GET /?${'a'.repeat(140_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ['bytes that are not HTTP', 'nonsense\r\n\r\n', 400],
  ['a space in the URL', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['HTTP/1.1 without a host', 'GET /a HTTP/1.1\r\n\r\n', 400],
  ['an unknown expectation', 'GET /a HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n', 417],
])('responds to %s with JSON that any page can read', async (_name, bytes, status) => {
  const socket = await connect();
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('\r\nAccess-Control-Allow-Origin: *');
  expect(head).toContain('\r\nConnection: close');
  expect(JSON.parse(body)).toMatchObject({ code: String(status) });
  expect(started).toEqual([]);
});

it('passes a head of 100 kB to the listener', async () => {
  const socket = await connect();
  socket.write(request(`/?${'a'.repeat(100_000)}`));
  await expect.poll(() => started.length).toBe(1);
});

it('sends no response to invalid bytes behind a request whose response is pending', async () => {
  const socket = await connect();
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  respond = () => {};
  socket.write(`${request('/pending')}nonsense\r\n\r\n`);
  await once(socket, 'close');
  expect([text, started]).toEqual(['', ['/pending']]);
});

it('responds to 64 requests of one connection in order, and to another connection between them', async () => {
  const [many, other] = [await connect(), await connect()];
  respond = (_request, response) => {
    if (started.length === 1) other.write(request('/other'));
    response.end();
  };
  many.write(pipelined(64));
  await expect.poll(() => started.length).toBe(65);
  expect(started.filter((path) => path !== '/other')).toEqual(
    Array.from({ length: 64 }, (_, at) => `/${at}`),
  );
  expect(started.at(-1)).toBe('/63');
  await expect.poll(() => open).toBe(0);
});

it('closes a connection with more than 64 pending requests, and runs no handler for the queued ones', async () => {
  const many = await connect();
  respond = () => {};
  many.write(pipelined(65));
  await once(many.resume(), 'close');
  await expect.poll(() => open).toBe(0);
  expect(started).toEqual(['/0']);
  respond = (_request, response) => response.end();
  const other = await connect();
  other.write(request('/other'));
  await once(other, 'data');
  expect(started).toEqual(['/0', '/other']);
});

it('responds to connections that wait to be accepted when the shutdown stops listening', async () => {
  await connect();
  const drained = server.drain();
  await new Promise((resolve) => setTimeout(resolve, 400));
  // After the check phase of the event loop come the timers, before it accepts connections again.
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = net.connect((server.server.address() as net.AddressInfo).port, '127.0.0.1');
  sockets.push(waiting);
  let response = '';
  waiting.on('data', (bytes: Buffer) => (response += bytes.toString()));
  const closed = new Promise<Error | null>((resolve) => {
    waiting.once('error', resolve).once('close', () => resolve(null));
  });
  waiting.write(request('/waiting'));
  // The connection waits in the kernel until the grace period is over.
  const busyUntil = performance.now() + 300;
  while (performance.now() < busyUntil);
  expect(await closed).toBeNull();
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  expect(response.toLowerCase()).toContain('connection: close');
  await drained;
});

it('keeps connections that pause between requests until the next request during the shutdown', async () => {
  const thinking = await connect();
  let text = '';
  thinking.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const send = async (path: string): Promise<void> => {
    thinking.write(request(path));
    await expect.poll(() => started).toContain(path);
    await expect.poll(() => open).toBe(0);
  };
  await send('/1');
  await pause(600);
  await send('/2');
  const drained = server.drain();
  await pause(900);
  thinking.write(request('/3'));
  await drained;
  expect(started).toEqual(['/1', '/2', '/3']);
  expect(text.split('HTTP/1.1 200')).toHaveLength(4);
  expect(text.split('Connection: close')).toHaveLength(2);
});

it('cuts a request that arrived at the end of the shutdown and never ends', async () => {
  await connect();
  const drained = server.drain(100);
  await pause(200);
  const late = await connect();
  late.on('error', () => {});
  const received = once(server.server, 'request');
  respond = () => {};
  late.write('POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n');
  await received;
  await drained;
  expect(started).toEqual(['/late']);
});

it('passes requests that arrive before the listener to it', async () => {
  const early = createHttpServer({ statementTimeoutMs: 1000, maxConnections: null });
  early.server.listen(0, '127.0.0.1');
  await once(early.server, 'listening');
  const socket = net.connect((early.server.address() as net.AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.write(pipelined(2));
  await once(early.server, 'request');
  expect(started).toEqual([]);
  early.serve((received, response) => {
    started.push(received.url ?? '');
    response.end();
  });
  await expect.poll(() => started).toEqual(['/0', '/1']);
  socket.destroy();
  await early.drain();
});
