/** Behavior of every response: security headers, CORS rules, health, and the console files. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { loadConsoleFiles } from '../src/http/console-files.ts';
import { siteUrl, startTestService, type TestService } from './support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService('embedded', { settings: { CORS_ORIGINS: 'https://other.example' } });
});
afterAll(async () => service.close());

const paths: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/auth'],
  ['GET', '/admin/accounts'],
  ['GET', '/nope'],
  ['GET', '/assets/gone.js'],
  ['GET', '/health'],
  ['GET', '/ready'],
  ['GET', '/rest/v1/accounts'],
  ['GET', '/rest/v1/nope/deeper'],
  ['POST', '/auth/v1/token?grant_type=password'],
  ['GET', '/auth/v1/nope'],
  ['POST', '/functions/v1/send-user-invitation'],
  ['GET', '/auth/v1/.well-known/jwks.json'],
];

describe('security headers', () => {
  it.each(paths)('are on %s %s', { tags: ['CON-01'] }, async (method, pathname) => {
    const response = await service.request(pathname, { method });
    const headers = response.headers;
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('X-Frame-Options')).toBe('DENY');
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    const isDocument = headers.get('Content-Type')?.startsWith('text/html') === true;
    expect(headers.get('Permissions-Policy')).toMatch(
      isDocument ? /^camera=\(\), microphone=\(\), / : /^camera=\(\)$/,
    );
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('X-Powered-By')).toBeNull();
    expect(headers.get('Server')).toBeNull();
    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-(inline|eval)/);
    expect(headers.get('Cache-Control')).toBeTruthy();
  });

  it('unknown API paths return JSON, never a page', { tags: ['OPS-11'] }, async () => {
    for (const pathname of ['/auth/v1/nope', '/rest/v1/a/b', '/functions/v1/nope']) {
      const response = await service.request(pathname);
      expect(response.status).toBe(pathname.startsWith('/functions') ? response.status : 404);
      expect(response.headers.get('Content-Type')).toContain('application/json');
    }
  });
});

describe('CORS', () => {
  const preflight = async (origin: string): Promise<Response> =>
    service.request('/rest/v1/accounts', {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'apikey, idempotency-key, prefer',
      },
    });

  it.each(['https://other.example', siteUrl])('allows %s', { tags: ['OPS-03'] }, async (origin) => {
    const response = await preflight(origin);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(response.headers.get('Access-Control-Allow-Headers')).toContain('idempotency-key');
    const crossOrigin = await service.request('/rest/v1/accounts', { headers: { Origin: origin } });
    expect(crossOrigin.headers.get('Access-Control-Expose-Headers')).toContain('Content-Range');
    expect(crossOrigin.headers.get('Vary')).toContain('Origin');
  });

  it.each([
    ['GET', 850],
    ['GET', 2000],
    ['DELETE', 3000],
  ])('applies to the response to %s with a list of %s IDs', { tags: ['OPS-03'] }, async (method, count) => {
    const ids = Array.from(
      { length: count },
      (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    );
    const url = `/rest/v1/accounts?select=id&id=in.(${ids.join(',')})`;
    const headers = { Origin: 'https://other.example', apikey: service.anonKey };
    // The URL of a preflight request is as long.
    const before = await service.request(url, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'apikey',
      },
    });
    expect(before.ok).toBe(true);
    const response = await service.request(url, { method, headers });
    expect(response.status).toBe(count > 900 ? 414 : 401);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://other.example');
    expect(await response.json()).toMatchObject({ code: count > 900 ? '414' : '42501' });
  });

  it(
    'applies to the HTTP APIs only: pages and the local mailbox are same-origin',
    { tags: ['OPS-03'] },
    async () => {
      for (const pathname of ['/mailbox', '/mailbox/templates', '/health', '/auth']) {
        const { headers } = await service.request(pathname, { headers: { Origin: 'https://other.example' } });
        expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
        expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
      }
    },
  );

  it.each(['https://evil.example', 'null', 'https://other.example.evil.example', 'http://other.example'])(
    'rejects %s',
    { tags: ['OPS-03'] },
    async (origin) => {
      expect((await preflight(origin)).headers.get('Access-Control-Allow-Origin')).toBeNull();
    },
  );
});

describe('request bodies', () => {
  it('above the limit are rejected while they arrive', { tags: ['OPS-05'] }, async () => {
    const response = await service.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'a@b.co', password: 'x'.repeat(1_100_000) }),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error_code: 'request_entity_too_large' });
    const data = await service.request('/rest/v1/accounts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', apikey: service.serviceRoleKey },
      body: JSON.stringify({ name: 'x'.repeat(1_100_000) }),
    });
    expect([data.status, await data.json()]).toEqual([
      413,
      {
        code: '413',
        message: 'The request body is larger than 1048576 bytes',
        details: null,
        hint: null,
      },
    ]);
  });
});

describe('responses of the Data API', () => {
  it('are compressed above 1 kB for clients that accept it', async () => {
    const user = await service.createUser({ isAdministrator: true });
    await service.database.query(
      sql`insert into public.accounts (name, slug, account_type)
          select 'Compressed ' || n, 'compressed', 'enterprise' from generate_series(1, 30) n`,
    );
    const { access_token: token } = await service.signIn(user);
    const ask = async (rows: number, headers: Record<string, string> = {}, url = ''): Promise<Response> =>
      service.request(url || `/rest/v1/accounts?limit=${rows}`, {
        headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'br, gzip', ...headers },
      });
    expect((await ask(1)).headers.get('Content-Encoding')).toBeNull();
    expect(
      (await ask(30, { 'Accept-Encoding': 'gzip;q=0, deflate' })).headers.get('Content-Encoding'),
    ).toBeNull();
    const read = async (response: Response, encoding = 'br'): Promise<unknown> => {
      expect(response.headers.get('Content-Encoding')).toBe(encoding);
      expect(response.headers.get('Vary')).toContain('Accept-Encoding');
      expect(response.headers.get('X-Request-Id')).toBeTruthy();
      const bytes = await response.arrayBuffer();
      return JSON.parse((encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString());
    };
    const many = await ask(30);
    expect([many.status, await read(many)]).toEqual([200, expect.objectContaining({ length: 30 })]);
    const withoutBrotli = await ask(30, { 'Accept-Encoding': 'br;q=0, gzip' });
    expect(await read(withoutBrotli, 'gzip')).toHaveLength(30);
    const page = await ask(29, { Prefer: 'count=exact' });
    expect([page.status, await read(page)]).toEqual([206, expect.objectContaining({ length: 29 })]);
    const rejected = await ask(0, {}, `/rest/v1/rpc/${'x'.repeat(1500)}`);
    expect([rejected.status, await read(rejected)]).toEqual([
      404,
      expect.objectContaining({ code: 'PGRST202' }),
    ]);
  });

  it('with tokens stay uncompressed', async () => {
    const user = await service.createUser();
    const response = await service.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' },
      body: JSON.stringify(user),
    });
    expect([response.status, response.headers.get('Content-Encoding')]).toEqual([200, null]);
    expect((await response.text()).length).toBeGreaterThan(1024);
  });
});

describe('the mailbox', () => {
  const from = async (
    pathname: string,
    remoteAddress: string,
    headers: Record<string, string> = {},
  ): Promise<number> => {
    const request = new Request(`http://localhost:3000${pathname}`, { headers });
    const response = await service.service.app.request(request, undefined, {
      incoming: { socket: { remoteAddress } },
    });
    return response.status;
  };

  it('opens with the link of this start, on this machine', { tags: ['OPS-13'] }, async () => {
    const { pathname, search } = new URL(service.service.mailboxLink ?? '');
    const Host = 'localhost:3000';
    expect(await from('/mailbox', '127.0.0.1', { Host })).toBe(403);
    expect(await from(`${pathname}${search}`, '127.0.0.1', { Host })).toBe(303);
    expect(await from(`${pathname}${search}`, '192.0.2.7', { Host })).toBe(404);
    expect(await from(`${pathname}${search}`, '127.0.0.1', { Host, 'X-Forwarded-For': '192.0.2.7' })).toBe(
      404,
    );
    expect(await from(`${pathname}${search}`, '127.0.0.1', { Host: 'evil.example' })).toBe(404);
  });
});

describe('console files', () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-console-'));
  const page =
    '<title>__PRODUCT_NAME__</title><script type="application/json" id="runtime-config">{}</script>';
  fs.mkdirSync(path.join(directory, 'assets'));
  fs.writeFileSync(path.join(directory, 'auth.html'), `${page}<p>auth document</p>`);
  fs.writeFileSync(path.join(directory, 'index.html'), page);
  fs.writeFileSync(path.join(directory, 'assets', 'app.js'), 'export {};');
  fs.writeFileSync(path.join(directory, 'assets', 'app.js.map'), '{}');
  afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));
  const { routes: files } = loadConsoleFiles({
    directory,
    runtime: {
      siteUrl: '',
      invitationSeconds: 604_800,
      productName: 'Zeta <Test> & Co',
      backendUrl: '',
      anonKey: 'sb_publishable_x',
      features: ['extensions'],
    },
  });

  it('contain the display name and the configuration, escaped', { tags: ['C012', 'C013'] }, async () => {
    const html = await (await files.request('/auth')).text();
    expect(html).toContain('<title>Zeta &lt;Test&gt; &amp; Co</title>');
    const json = /id="runtime-config">([^<]*)</.exec(html)?.[1] ?? '';
    expect(JSON.parse(json)).toMatchObject({
      productName: 'Zeta <Test> & Co',
      anonKey: 'sb_publishable_x',
      features: ['extensions'],
    });
    const root = await files.request('/');
    expect([root.status, root.headers.get('Location')]).toEqual([302, '/auth']);
  });

  it.each([
    ['/assets/app.js', 200],
    ['/assets/app.js.map', 404],
    ['/assets/gone.js', 404],
    ['/../package.json', 404],
    ['/%2e%2e/package.json', 404],
    ['/.env', 404],
    ['/.git/config', 404],
    ['/admin/accounts', 200],
  ])('%s returns %i', { tags: ['OPS-10'] }, async (pathname, status) => {
    const response = await files.request(pathname);
    expect(response.status).toBe(status);
    // A path without its own file returns the console page at most.
    if (status === 200 && !pathname.startsWith('/assets'))
      expect(await response.text()).toContain('runtime-config');
  });

  it.each([
    ['br, gzip', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['', null],
  ])('has the encoding that "%s" accepts: %s', async (accepted, encoding) => {
    const response = await files.request('/auth', { headers: { 'Accept-Encoding': accepted } });
    expect(response.headers.get('Content-Encoding')).toBe(encoding);
  });

  it.each(['/auth/', '/auth/callback/?setup=true', '/auth/set-password/'])(
    '%s returns the page without the slash',
    async (url) => {
      const [withSlash, without] = await Promise.all(
        [url, url.replace(/\/(?=\?|$)/, '')].map(async (each) => (await files.request(each)).text()),
      );
      expect(withSlash).toContain('auth document');
      expect(withSlash).toBe(without);
    },
  );

  // With backtracking from each slash, a path of this length takes longer than the timeout of the test runner.
  it('finds the document of a path with 200,000 slashes in one pass', async () => {
    const slashes = '/'.repeat(200_000);
    const inside = await (await files.request(`/auth${slashes}x`)).text();
    expect(inside).not.toContain('auth document');
    const atEnd = await (await files.request(`/auth${slashes}`)).text();
    expect(atEnd).toContain('auth document');
  });

  it('a form that is sent before the script runs leaves no password in the URL', async () => {
    const response = await files.request('/auth', {
      method: 'POST',
      body: new URLSearchParams({ password: 'x' }),
    });
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/auth']);
  });
});
