/** Client IP addresses, logging, and failing components of the process around the HTTP APIs. */
import fc from 'fast-check';
import { Hono } from 'hono';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import type { AppEnv } from '../src/http/context.ts';
import { createApp } from '../src/http/app.ts';
import { readConfig } from '../src/config/settings.ts';
import { runChecks } from '../src/doctor/run-checks.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';
import { openTestDatabase } from '@lanternrock/testing/engines';
import { runs, seed } from '@lanternrock/testing/property-runs';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Returns an app with the given Data API, and its log. */
function appWith(rest: Hono<AppEnv>, settings: Record<string, string> = {}) {
  const lines: Line[] = [];
  const written: string[] = [];
  const log = pino(
    { level: 'debug' },
    {
      write: (text: string) => {
        written.push(text);
        lines.push(JSON.parse(text) as Line);
      },
    },
  );
  const nothing = new Hono<AppEnv>();
  const app = createApp({
    config: readConfig(settings),
    log,
    health: nothing,
    metrics: nothing,
    rest,
    auth: null,
    functions: null,
    mailbox: null,
    console: null,
  });
  const ask = async (path: string, peer: string, headers: Record<string, string> = {}): Promise<Response> =>
    app.request(path, { headers }, { incoming: { socket: { remoteAddress: peer } } });
  return { ask, lines, written };
}

it.each(['/rest/v1', '/auth/v1', '/functions/v1'])(
  'further rejections of %s after 30 of one network arrive after a later accepted response',
  async (api) => {
    const { ask } = appWith(
      new Hono<AppEnv>().get('/ok', (c) => c.text('ok')),
      { RATE_LIMITS: 'on' },
    );
    const peer = '203.0.113.9';
    for (let count = 0; count < 30; count += 1) expect((await ask(`${api}/nothing`, peer)).status).toBe(404);
    const order: number[] = [];
    const record = async (path: string): Promise<void> => void order.push((await ask(path, peer)).status);
    await Promise.all([record(`${api}/nothing`), record('/rest/v1/ok')]);
    expect(order).toEqual([200, 404]);
  },
);

describe('the client IP address', { tags: ['OPS-04'] }, () => {
  const whoAmI = new Hono<AppEnv>().get('/who', (c) => c.text(c.get('clientIp')));
  const { ask } = appWith(whoAmI, { TRUSTED_PROXIES: '10.0.0.1,192.168.0.0/16,fd00::/8' });
  it.each([
    ['no proxy', '203.0.113.5', null, '203.0.113.5'],
    ['a header from an untrusted client', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['a header from a trusted proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a header that the client forged before the proxy', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['two trusted proxies', '10.0.0.1', '1.1.1.1, 198.51.100.1, 192.168.3.4', '198.51.100.1'],
    ['IPv6 behind IPv6', 'fd00::1', '2001:DB8::7', '2001:db8::7'],
    ['IPv4-mapped IPv6 addresses', '::ffff:10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['garbage', '10.0.0.1', "198.51.100.1, ' or 1=1, 999.1.1.1", '10.0.0.1'],
    ['proxies only', '10.0.0.1', '192.168.1.1', '192.168.1.1'],
    ['a hop without an IP address', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['a forged address before such a hop', '10.0.0.1', '198.51.100.1, _x, 192.168.3.4', '192.168.3.4'],
    ['an empty hop', '10.0.0.1', '198.51.100.1,', '10.0.0.1'],
    ['an IP address with a port', '10.0.0.1', '1.1.1.1, 198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 address with a port', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['8 kB of forged hops', '10.0.0.1', `${'1.1.1.1, '.repeat(900)}198.51.100.1`, '198.51.100.1'],
  ])('is determined with %s', async (_name, peer, forwarded, client) => {
    const headers = forwarded === null ? {} : { 'X-Forwarded-For': forwarded };
    expect(await (await ask('/rest/v1/who', peer, headers)).text()).toBe(client);
  });

  it.each(['Forwarded', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP'])(
    'ignores the %s header',
    async (name) => {
      const response = await ask('/rest/v1/who', '10.0.0.1', { [name]: '198.51.100.1' });
      expect(await response.text()).toBe('10.0.0.1');
    },
  );

  it('logs an untrusted client with a forwarded header once', async () => {
    const other = appWith(whoAmI);
    for (let count = 0; count < 3; count += 1)
      await other.ask('/rest/v1/who', '203.0.113.5', { 'X-Forwarded-For': '198.51.100.1' });
    expect(other.lines.filter(({ msg }) => msg.includes('TRUSTED_PROXIES'))).toHaveLength(1);
  });
});

describe('an error in a handler', () => {
  const secret = 'password=hunter2 at /srv/app/secret.ts';
  const broken = new Hono<AppEnv>()
    .get('/throws', () => {
      throw new Error(secret);
    })
    .get('/rejects', async () => Promise.reject(new TypeError(secret)))
    .get('/fine', (c) => c.text('fine'));
  const { ask, lines, written } = appWith(broken);

  it.each(['/rest/v1/throws', '/rest/v1/rejects'])(
    '%s fails one request and returns its ID',
    { tags: ['OPS-16'] },
    async (path) => {
      const response = await ask(path, '127.0.0.1');
      expect(response.status).toBe(500);
      const text = await response.text();
      expect(text).not.toContain('hunter2');
      expect(JSON.parse(text)).toMatchObject({ request_id: response.headers.get('X-Request-Id') });
      const line = lines.find(
        ({ requestId, level }) => requestId === response.headers.get('X-Request-Id') && level === 50,
      );
      expect(line?.msg).toBe('request failed');
      expect(await (await ask('/rest/v1/fine', '127.0.0.1')).text()).toBe('fine');
    },
  );

  it('writes one log line for a URL with line breaks, without its query', { tags: ['OPS-14'] }, async () => {
    const before = written.length;
    await ask('/rest/v1/fine%0A%7B%22level%22:30%7D%1b[31m?token=hunter2', '127.0.0.1');
    const [line = '', ...others] = written.slice(before);
    expect(others).toEqual([]);
    expect(line.split('\n')).toEqual([expect.stringContaining('fine'), '']);
    expect(line).not.toContain('hunter2');
    expect(line).not.toContain('\u001b');
  });
});

eachEngine('requests that cannot be checked are rejected', (engine) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService(engine, { settings: { RATE_LIMITS: 'on' } });
  });
  afterEach(async () => service.close());

  it('rejects every sign-in without the rate limit counters', { tags: ['OPS-18', 'AUTH-02'] }, async () => {
    const user = await service.createUser();
    await service.database.query(sql`alter table auth.rate_limits rename to gone`);
    await expect(service.signIn(user)).rejects.toThrow(/sign-in returned 5\d\d/);
    await service.database.query(sql`alter table auth.gone rename to rate_limits`);
    expect((await service.signIn(user)).access_token).toBeTruthy();
  });

  it('grants no administrator permission without the role table', { tags: ['OPS-18'] }, async () => {
    const admin = await service.createUser({ isAdministrator: true });
    const { access_token: token } = await service.signIn(admin);
    const invite = async (): Promise<number> =>
      (
        await service.request('/functions/v1/send-user-invitation', {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: 'x@example.org', full_name: 'Another Name' }),
        })
      ).status;
    const read = async (): Promise<Response> =>
      service.request('/rest/v1/user_invitations', { headers: { Authorization: `Bearer ${token}` } });
    await service.database.query(sql`alter table public.user_roles rename to gone`);
    expect(await invite()).toBeGreaterThanOrEqual(400);
    const response = await read();
    expect(response.status === 200 ? await response.json() : []).toEqual([]);
    await service.database.query(sql`alter table public.gone rename to user_roles`);
    expect((await read()).status).toBe(200);
    expect(await service.emails()).toEqual([]);
  });

  it('no role of the HTTP APIs can change the audit log', { tags: ['OPS-27'] }, async () => {
    for (const role of ['anon', 'authenticated', 'service_role']) {
      for (const statement of [
        'update private.audit_log set actor = null',
        'delete from private.audit_log',
        'truncate private.audit_log',
        'update auth.audit_log_entries set payload = null',
        'delete from auth.audit_log_entries',
        'truncate auth.audit_log_entries',
      ]) {
        const attempt = service.database.batch([
          { text: `select set_config('role', '${role}', true)`, values: [] },
          { text: statement, values: [] },
        ]);
        await expect(attempt, `${role}: ${statement}`).rejects.toMatchObject({ code: '42501' });
      }
    }
  });
});

describe('clock changes', { tags: ['REL-10'] }, () => {
  let service: TestService;
  let clock = Date.now();
  beforeAll(async () => {
    service = await startTestService('embedded', {
      now: () => new Date(clock),
      settings: { RATE_LIMITS: 'on' },
    });
  });
  afterAll(async () => service.close());

  const post = async (path: string, body: unknown): Promise<Response> =>
    service.request(`/auth/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const refresh = async (session: { refresh_token: string }) =>
    post('/token?grant_type=refresh_token', { refresh_token: session.refresh_token });

  it.each([
    ['back by an hour', -3_600_000],
    ['back by ten minutes', -600_000],
    ['forward by ten minutes', 600_000],
    ['forward by a day', 86_400_000],
  ])('keep sessions valid through their refresh tokens: %s', async (_name, jump) => {
    const session = await service.signIn(await service.createUser());
    clock += jump;
    const response = await refresh(session);
    expect(response.status).toBe(200);
    const { access_token: token } = (await response.json()) as { access_token: string };
    const user = await service.request('/auth/v1/user', { headers: { Authorization: `Bearer ${token}` } });
    expect(user.status).toBe(200);
    clock -= jump;
  });

  it('limit the rows that an administrator writes with the Data API', async () => {
    const admin = await service.createUser({ isAdministrator: true });
    const { access_token: token } = await service.signIn(admin);
    const create = (slug: string): Promise<Response> =>
      service.request('/rest/v1/accounts', {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Limited', slug, account_type: 'organization', created_by: admin.id }),
      });
    await service.database.query(sql`insert into auth.rate_limits (bucket, hits, seconds, ends_at)
      values (${`data-writes:${admin.id}`}, 99900, 600, ${new Date(clock + 300_000)})`);
    const limited = await create('first');
    expect([limited.status, await limited.json()]).toMatchObject([429, { code: '429' }]);
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(200);
    expect(await service.database.query(sql`select from public.accounts where name = 'Limited'`)).toEqual([]);
    clock += 600_000;
    expect((await create('second')).status).toBe(201);
    clock -= 600_000;
  });

  it('neither reset nor extend a rate limit when the clock goes back', async () => {
    const user = await service.createUser();
    const wrong = async (): Promise<number> =>
      (await post('/token?grant_type=password', { email: user.email, password: 'not this one' })).status;
    for (let count = 0; count < 10; count += 1) expect(await wrong()).toBe(400);
    expect(await wrong()).toBe(429);
    clock -= 30_000;
    expect(await wrong()).toBe(429);
    clock += 200_000;
    expect(await wrong()).toBe(400);
  });
});

describe('a superuser login', { tags: ['OPS-21'] }, () => {
  it('works, with a warning at startup and in the doctor', async () => {
    const test = await openTestDatabase('postgres as superuser');
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (text: string) => lines.push(text) });
    const config = readConfig({ DATABASE_URL: test.url, DATA_DIR: test.dataDir });
    const opened = await openDatabase(config, log);
    expect(lines.join('')).toContain('superuser');
    expect(await runChecks({ config, database: opened.database, now: new Date() })).toContainEqual(
      expect.objectContaining({ status: 'warning', subject: 'database user' }),
    );
    await opened.database.close();
    await test.dispose();
  });
});

eachEngine('text with', { tags: ['REL-16'] }, (engine) => {
  let service: TestService;
  let token: string;
  let creator: string;
  beforeAll(async () => {
    service = await startTestService(engine);
    const admin = await service.createUser({ isAdministrator: true });
    creator = admin.id;
    token = (await service.signIn(admin)).access_token;
  });
  afterAll(async () => service.close());

  it.each([
    ['an emoji of four bytes', '🚑 Rescue'],
    ['an emoji of five code points', '👨‍👩‍👧‍👦'],
    ['right-to-left text', 'دوريات التزلج'],
    ['combining marks', `e${'\u0301'.repeat(100)}`],
    ['an inner byte order mark', 'a\uFEFFb'],
    ['no character', 'a\uFFFEb'],
    ['exactly the maximum length, in code points', '🚑'.repeat(200)],
  ])('%s is returned unchanged', async (_name, name) => {
    const response = await service.request('/rest/v1/accounts?select=name', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Prefer: 'return=representation',
      },
      body: JSON.stringify({ name, slug: 'text', account_type: 'organization', created_by: creator }),
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual([{ name }]);
  });

  it.each([
    ['one code point more than the maximum', JSON.stringify('🚑'.repeat(201))],
    ['an escaped NUL', '"a\\u0000b"'],
    ['a lone surrogate', '"a\\ud83d"'],
  ])('%s is rejected, and nothing changes', async (_name, json) => {
    const before = await service.fingerprint();
    const response = await service.request('/rest/v1/accounts', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: `{"name":${json},"slug":"text","account_type":"organization","created_by":"${creator}"}`,
    });
    expect(response.status).toBe(400);
    expect(await service.fingerprint()).toBe(before);
  });
});

describe('random requests', () => {
  it(`cause no server error (seed ${seed})`, { tags: ['REL-23'], timeout: 600_000 }, async () => {
    const service = await startTestService('embedded', { settings: { RATE_LIMITS: 'off' } });
    const { access_token: token } = await service.signIn(await service.createUser({ isAdministrator: true }));
    const path = fc.oneof(
      fc.constantFrom(
        '/auth/v1/token?grant_type=password',
        '/auth/v1/verify',
        '/auth/v1/user',
        '/auth/v1/admin/users',
        '/auth/v1/factors',
        '/auth/v1/authorize?provider=x',
        '/rest/v1/accounts',
        '/rest/v1/rpc/x',
        '/functions/v1/send-user-invitation',
        '/functions/v1/invitation-history',
        '/mailbox/x',
        '/admin/x',
      ),
      fc.webPath().map((text) => text || '/'),
      fc
        .tuple(fc.constantFrom('auth', 'rest', 'functions'), fc.webPath())
        .map(([name, rest]) => `/${name}/v1${rest}`),
    );
    const body = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constant(''));
    const request = fc.record({
      path,
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'),
      type: fc.constantFrom(
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/json;charset=utf-16',
      ),
      signedIn: fc.boolean(),
      body,
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path: address, method, type, signedIn, body: text }) => {
        const response = await service.request(address, {
          method,
          headers: { 'Content-Type': type, ...(signedIn ? { Authorization: `Bearer ${token}` } : {}) },
          ...(method === 'GET' || method === 'HEAD' ? {} : { body: text }),
        });
        await response.arrayBuffer();
        // 503 is expected: the queue is full or a dependency is unavailable. Unit runs do not build the console page.
        expect([response.status, response.status < 500 || response.status === 503]).toEqual([
          response.status,
          true,
        ]);
      }),
      { seed, numRuns: runs({ short: 400, long: 10_000 }) },
    );
    expect((await service.request('/ready')).status).toBe(200);
    await service.close();
  });
});
