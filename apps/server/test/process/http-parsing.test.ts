/**
 * Hostile bytes for the HTTP parser of the built service: ambiguous requests, unusual spellings, special
 * keys.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { sendRaw } from './raw-http.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(async () => instance.stop());

const healthy = async (): Promise<void> => {
  expect((await fetch(`${instance.url}/ready`)).status).toBe(200);
};

describe('ambiguous requests', () => {
  const head = 'POST /auth/v1/recover HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  const hidden = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
  it.each([
    ['two Content-Length headers', `${head}Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}${hidden}`],
    [
      'Content-Length and chunked encoding',
      `${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    [
      'chunked encoding twice',
      `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['an unknown transfer encoding', `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['a space before the colon', `${head}Content-Length : 2\r\n\r\n{}${hidden}`],
    ['a folded header', `${head}X-Fold: a\r\n b\r\nContent-Length: 2\r\n\r\n{}${hidden}`],
    ['bare line feeds in the head', `${head.replaceAll('\r\n', '\n')}Content-Length: 2\n\n{}${hidden}`],
    ['a Content-Length with a sign', `${head}Content-Length: +2\r\n\r\n{}${hidden}`],
    ['a negative chunk size', `${head}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${hidden}`],
    ['no Host header', `GET /health HTTP/1.1\r\n\r\n${hidden}`],
  ])('%s: returns 400 and closes the connection', { tags: ['OPS-06'] }, async (_name, bytes) => {
    const response = await sendRaw(instance, bytes);
    expect(response.statuses).toEqual([400]);
    expect(response.closed).toBe(true);
    await healthy();
  });

  it('a head above the limit is rejected with 431', { tags: ['OPS-06'] }, async () => {
    const response = await sendRaw(
      instance,
      `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(140_000)}\r\n\r\n`,
    );
    expect([response.statuses, response.closed]).toEqual([[431], true]);
  });
});

describe('HTTP/1.0 without a Host header, as health checks of proxies send it', () => {
  it.each([
    ['GET /ready', 200],
    ['HEAD /ready', 200],
    ['GET /health', 200],
    ['OPTIONS /', 200],
    ['GET /rest/v1/accounts', 401],
    // Pages for the local machine need its name.
    ['GET /mailbox', 404],
  ])('%s returns %i', async (line, status) => {
    const { statuses, closed } = await sendRaw(instance, `${line} HTTP/1.0\r\n\r\n`);
    expect([statuses, closed]).toEqual([[status], true]);
  });
});

it.each([
  'GET /ready HTTP/1.1\r\n\r\n',
  'GET /ready HTTP/1.1\r\nHost: a b\r\n\r\n',
  'GET /ready HTTP/1.1\r\nHost: a/b\r\n\r\n',
  'GET ready HTTP/1.1\r\nHost: a\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /ready\\x HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http:// HTTP/1.1\r\nHost: a\r\n\r\n',
])('%j is rejected with JSON', async (bytes) => {
  const { statuses, text, closed } = await sendRaw(instance, bytes);
  expect([statuses, closed]).toEqual([[400], true]);
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: '400' });
});

describe('spellings of one path', () => {
  it.each([
    '/auth/v1/admin/users',
    '/auth/v1/%61dmin/users',
    '/auth/v1/./admin/users',
    '/auth/v1/x/../admin/users',
    '/auth/v1/admin/users/',
    '//auth/v1/admin/users',
    '/auth//v1/admin/users',
    '/AUTH/v1/admin/users',
    '/auth/v1/admin%2Fusers',
    '/auth/v1/admin/users;x=1',
    '/auth/v1/admin\\users',
    '/rest/v1/accounts',
    '/rest/v1/%61ccounts',
    '/rest/v1//accounts',
    '/rest/v1/./accounts',
    '/rest/v1/accounts.',
    'http://localhost/rest/v1/accounts',
    'http://evil.example/auth/v1/admin/users',
  ])('%s returns nothing to unauthenticated clients', { tags: ['OPS-12'] }, async (target) => {
    const response = await sendRaw(
      instance,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(response.statuses).toHaveLength(1);
    // At most the console page, which contains no data.
    if (response.statuses[0] === 200) expect(response.text).toContain('<!doctype html>');
    else expect([400, 401, 403, 404, 405]).toContain(response.statuses[0]);
    expect(response.text).not.toMatch(/"users"|^\[/m);
  });
});

describe('keys with a meaning in JavaScript', () => {
  it.each([
    [
      'a header',
      'GET /health HTTP/1.1\r\nHost: localhost\r\n__proto__: x\r\nconstructor: y\r\nConnection: close\r\n\r\n',
      200,
    ],
    [
      'a query',
      'GET /rest/v1/accounts?__proto__[x]=1&constructor.prototype=eq.1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      401,
    ],
  ])('in %s change nothing', { tags: ['OPS-15'] }, async (_name, bytes, status) => {
    expect((await sendRaw(instance, bytes)).statuses[0]).toBe(status);
    await healthy();
  });

  it.each(['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}'])(
    'in the body %s change nothing',
    { tags: ['OPS-15'] },
    async (body) => {
      const response = await fetch(`${instance.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      expect(response.status).toBe(400);
      await response.arrayBuffer();
      const admin = await fetch(`${instance.url}/auth/v1/admin/users`);
      expect(admin.status).toBe(401);
    },
  );
});
