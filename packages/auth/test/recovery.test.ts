import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { eachEngine, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';
import { recordQueries } from './support/work-recorder.ts';

eachEngine('recovery', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let clock: Date | null = null;
  beforeAll(async () => {
    test = await startAuth(engine, {
      now: () => clock ?? new Date(),
      settings: { REDIRECT_URLS: ['myapp://callback/**'] },
    });
    auth = createAuthRequester(test);
  });
  beforeEach(async () => {
    clock = null;
    ann = await test.createUser();
  });
  afterAll(() => test.close());

  const recover = (email: string, path = '/recover', more: object = {}) =>
    auth('POST', path, {
      body: { email, gotrue_meta_security: {}, code_challenge: null, code_challenge_method: null, ...more },
    });
  /** Returns the newest link emailed to an address. */
  const emailedLink = async (email: string): Promise<URL> => {
    const link = (await test.linksTo(email)).at(-1);
    if (!link) throw new Error(`no link for ${email}`);
    return link;
  };
  const verifyHash = (token: string | null, type = 'recovery') =>
    auth('POST', '/verify', { body: { type, token_hash: token, options: {} } });

  it(
    'returns the same response for known, unknown, banned and repeated addresses; emails only eligible users',
    { tags: ['C237', 'AUTH-07'] },
    async () => {
      const banned = await test.createUser();
      await test.database.query(
        sql`update auth.users set banned_until = now() + interval '1 day' where id = ${banned.id}`,
      );
      const unknown = `${randomUUID()}@example.org`;
      for (const email of [ann.email, ann.email, unknown, banned.email]) {
        const { status, text } = await recover(email);
        expect({ status, text }).toEqual({ status: 200, text: '{}' });
      }
      expect(await test.linksTo(ann.email)).toHaveLength(1);
      expect(await test.linksTo(unknown)).toHaveLength(0);
      expect(await test.linksTo(banned.email)).toHaveLength(0);
    },
  );

  it('runs the same statements for known, unknown and banned addresses', { tags: ['AUTH-06'] }, async () => {
    const work = await recordQueries(test.options, () => recover(ann.email));
    expect(work).toContain('commit');
    expect(await recordQueries(test.options, () => recover(`${randomUUID()}@example.org`))).toEqual(work);
    const banned = await test.createUser();
    await test.database.query(sql`update auth.users set banned_until = 'infinity' where id = ${banned.id}`);
    expect(await recordQueries(test.options, () => recover(banned.email))).toEqual(work);
  });

  it('creates sessions that can set a password; the link stays valid until then', async () => {
    await recover(ann.email);
    const link = await emailedLink(ann.email);
    expect(link.pathname).toBe('/auth/callback');
    expect(Object.fromEntries(link.searchParams)).toMatchObject({ type: 'recovery', setup: 'true' });
    const token = link.searchParams.get('token_hash');
    const [first, second] = [await verifyHash(token), await verifyHash(token)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(decodeClaims(first.json)['amr']).toMatchObject([{ method: 'otp' }]);
    const bearer = String(second.json['access_token']);
    expect((await auth('PUT', '/user', { bearer, body: { password: 'a better password' } })).status).toBe(
      200,
    );
    expect(await verifyHash(token)).toMatchObject({
      status: 403,
      json: { code: 'otp_expired', message: 'Email link is invalid or has expired' },
    });
    expect(await auth('GET', '/user', { bearer: String(first.json['access_token']) })).toMatchObject({
      status: 403,
    });
    await test.signIn({ ...ann, password: 'a better password' });
  });

  it(
    'keeps three links valid, each until it expires, and sends nothing for a fourth request',
    { tags: ['AUTH-32', 'AUTH-33', 'X18'] },
    async () => {
      const tokens = async (): Promise<(string | null)[]> =>
        (await test.linksTo(ann.email)).map(({ searchParams }) => searchParams.get('token_hash'));
      const advance = (milliseconds: number): void => {
        clock = new Date((clock ?? new Date()).getTime() + milliseconds);
      };
      for (let count = 0; count < 3; count += 1) {
        await recover(ann.email);
        advance(61_000);
      }
      const links = await tokens();
      expect(new Set(links).size).toBe(3);
      const work = await recordQueries(test.options, () => recover(ann.email));
      expect(work).toEqual(await recordQueries(test.options, () => recover(`${randomUUID()}@example.org`)));
      for (let count = 0; count < 10; count += 1) {
        advance(61_000);
        expect(await recover(ann.email)).toMatchObject({ status: 200, text: '{}' });
      }
      expect(await tokens()).toEqual(links);
      for (const token of links) expect((await verifyHash(token)).status).toBe(200);
      const [oldest, ...valid] = links;
      advance(3_600_000 - 13 * 61_000);
      expect(await verifyHash(oldest ?? null)).toMatchObject({
        status: 403,
        json: { code: 'otp_expired', message: 'Email link has expired' },
      });
      await recover(ann.email);
      const newest = (await emailedLink(ann.email)).searchParams.get('token_hash');
      expect(links).not.toContain(newest);
      const { json } = await verifyHash(newest);
      const body = { password: 'another fine password' };
      expect((await auth('PUT', '/user', { bearer: String(json['access_token']), body })).status).toBe(200);
      for (const token of [...valid, newest]) expect((await verifyHash(token)).status).toBe(403);
    },
  );

  it(
    'keeps the recovery link valid when another client requests a magic link',
    { tags: ['AUTH-33'] },
    async () => {
      await recover(ann.email);
      const token = (await emailedLink(ann.email)).searchParams.get('token_hash');
      clock = new Date(Date.now() + 61_000);
      await recover(ann.email, '/otp');
      expect((await verifyHash(token)).status).toBe(200);
    },
  );

  it('rejects the token with any other type', { tags: ['AUTH-50'] }, async () => {
    await recover(ann.email);
    const token = (await emailedLink(ann.email)).searchParams.get('token_hash');
    for (const type of ['invite', 'signup', 'magiclink', 'email_change']) {
      expect(await verifyHash(token, type)).toMatchObject({ status: 403, json: { code: 'otp_expired' } });
    }
    expect(await verifyHash(token, 'toString')).toMatchObject({
      status: 400,
      json: { code: 'validation_failed' },
    });
  });

  it(
    'accepts the short code once and invalidates it after five wrong attempts; the link stays valid',
    { tags: ['AUTH-34'] },
    async () => {
      const readCode = async (): Promise<string> => (await test.emailsTo(ann.email)).at(-1)?.code ?? '';
      const tryCode = (token: string) =>
        auth('POST', '/verify', { body: { type: 'recovery', email: ann.email.toUpperCase(), token } });
      await recover(ann.email);
      const code = await readCode();
      const wrong = code === '111111' ? '222222' : '111111';
      for (let attempt = 0; attempt < 4; attempt += 1) {
        expect(await tryCode(wrong)).toMatchObject({
          status: 403,
          json: { code: 'otp_expired', message: 'Token has expired or is invalid' },
        });
      }
      expect((await tryCode(code)).status).toBe(200);
      expect((await tryCode(code)).status).toBe(403);
      const link = (await test.linksTo(ann.email)).at(-1);
      expect(await verifyHash(link?.searchParams.get('token_hash') ?? '')).toMatchObject({ status: 200 });

      await recover(ann.email);
      const next = await readCode();
      for (let attempt = 0; attempt < 5; attempt += 1) await tryCode(next === '111111' ? '222222' : '111111');
      expect((await tryCode(next)).status).toBe(403);
    },
  );

  describe('rejects and changes nothing', () => {
    for (const [tags, name, body, status, message] of [
      [[], 'no email address', { email: '' }, 400, 'Password recovery requires an email'],
      [
        ['AUTH-52'],
        'a list',
        { email: 'a@b.co,b@y.z' },
        400,
        'Unable to validate email address: invalid format',
      ],
      [
        ['AUTH-52'],
        'a header',
        { email: 'a@b.co\r\nBcc: x@y.z' },
        400,
        'Unable to validate email address: invalid format',
      ],
      [
        ['AUTH-52'],
        'a full-width @',
        { email: 'a＠x.com' },
        400,
        'Unable to validate email address: invalid format',
      ],
      [
        [],
        'an incomplete PKCE pair',
        { email: 'a@b.co', code_challenge: 'x'.repeat(43) },
        400,
        'PKCE flow requires code_challenge_method and code_challenge',
      ],
      [
        ['AUTH-42'],
        'plain PKCE',
        { email: 'a@b.co', code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
        400,
        'code_challenge_method must be s256',
      ],
    ] as [string[], string, object, number, string][]) {
      it(`a request with ${name}`, { tags }, async () => {
        const before = await test.fingerprint();
        expect(await auth('POST', '/recover', { body })).toMatchObject({
          status,
          json: { code: 'validation_failed', message },
        });
        expect(await test.fingerprint()).toBe(before);
      });
    }
  });

  it.each([
    'https://evil.example',
    'http://localhost:3000@evil.example',
    '//evil.example',
    '/\\evil.example',
    'http:\\\\evil.example',
    'http://localhost.evil.example:3000',
    'http://2130706433:3000',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://localhost:3000',
    'http://localhost%00.evil.example',
    'ht\ttp://localhost:3000',
    'myapp://elsewhere/x',
  ])('never redirects to %s', { tags: ['AUTH-43', 'AUTH-44'] }, async (target) => {
    await auth('POST', `/recover?redirect_to=${encodeURIComponent(target)}`, {
      body: { email: ann.email },
      headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Referer: 'https://evil.example' },
    });
    const link = await emailedLink(ann.email);
    expect(link.origin + link.pathname).toBe('http://localhost:3000/auth/callback');
  });

  describe('a link for another redirect URL', () => {
    const verifier = 'f'.repeat(112);
    const pageLink = async (more: object = {}): Promise<URL> => {
      await recover(
        ann.email,
        `/recover?redirect_to=${encodeURIComponent('myapp://callback/done?x=1')}`,
        more,
      );
      return emailedLink(ann.email);
    };
    const submitForm = async (link: URL): Promise<Response> =>
      test.request('/auth/v1/verify', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: link.searchParams.toString(),
      });

    it(
      'shows a page that consumes nothing, then returns 303 with tokens in the fragment',
      { tags: ['AUTH-40', 'X12'] },
      async () => {
        const link = await pageLink();
        expect(link.pathname).toBe('/auth/v1/verify');
        const before = await test.fingerprint();
        for (const method of ['HEAD', 'GET', 'GET', 'GET']) {
          const page = await test.request(`${link.pathname}${link.search}`, { method });
          expect(page.status).toBe(200);
          expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
          if (method === 'GET') expect(await page.text()).toContain('<button type="submit">');
        }
        expect(await test.fingerprint()).toBe(before);
        const response = await submitForm(link);
        expect(response.status).toBe(303);
        const location = new URL(response.headers.get('Location') ?? '');
        expect(location.href.split('#')[0]).toBe('myapp://callback/done?x=1');
        const names = [...new URLSearchParams(location.hash.slice(1)).keys()];
        expect(names).toEqual([
          'access_token',
          'expires_at',
          'expires_in',
          'refresh_token',
          'sb',
          'token_type',
          'type',
        ]);
      },
    );

    it('returns the error of an invalid link in the fragment', async () => {
      const link = await pageLink();
      link.searchParams.set('token', 'nothing');
      const response = await submitForm(link);
      expect([response.status, response.headers.get('Location')]).toEqual([
        303,
        'myapp://callback/done?x=1#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
      ]);
    });

    it('escapes the values of the link', async () => {
      const page = await test.request(
        `/auth/v1/verify?type=invite&token=${encodeURIComponent('"><script>alert(1)</script>')}`,
      );
      expect(await page.text()).not.toContain('<script>');
    });

    it(
      'sets the password without the app whose challenge and redirect URL another client chose',
      { tags: ['AUTH-33', 'AUTH-41'] },
      async () => {
        const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 's256' };
        for (const seconds of [0, 61, 122, 183, 244]) {
          clock = new Date(Date.now() + seconds * 1000);
          await pageLink(challenge);
        }
        const link = await emailedLink(ann.email);
        expect(await test.linksTo(ann.email)).toHaveLength(3);
        const page = await (await test.request(`${link.pathname}${link.search}`)).text();
        const [, href = ''] = /<a href="([^"]*)"/.exec(page) ?? [];
        const plain = new URL(href.replaceAll('&amp;', '&'));
        expect(plain.href).toContain('/auth/callback?setup=true&token_hash=');
        const { status, json } = await verifyHash(plain.searchParams.get('token_hash'));
        expect(status).toBe(200);
        const body = { password: 'another fine password' };
        expect((await auth('PUT', '/user', { bearer: String(json['access_token']), body })).status).toBe(200);
      },
    );

    it.each(['/verify?token=x', '/verify?type=recovery'])('returns 400 as JSON for %s', async (path) => {
      expect(await auth('GET', path)).toMatchObject({ status: 400, json: { code: 'validation_failed' } });
    });

    it(
      'returns a PKCE code that works once, with the right verifier',
      { tags: ['AUTH-41', 'AUTH-42'] },
      async () => {
        const s256 = createHash('sha256').update(verifier).digest('base64url');
        const link = await pageLink({ code_challenge: s256, code_challenge_method: 's256' });
        expect(link.searchParams.get('token')).toMatch(/^pkce_/);
        const response = await submitForm(link);
        const code = new URL(response.headers.get('Location') ?? '').searchParams.get('code');
        const exchange = (code_verifier: string) =>
          auth('POST', '/token?grant_type=pkce', { body: { auth_code: code, code_verifier } });
        expect(await exchange('')).toMatchObject({ status: 400, json: { code: 'validation_failed' } });
        expect(await exchange('wrong'.repeat(10))).toMatchObject({
          status: 400,
          json: { code: 'bad_code_verifier' },
        });
        const responses = await Promise.all(Array.from({ length: 10 }, () => exchange(verifier)));
        expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(responses.filter(({ json }) => json['code'] === 'flow_state_not_found')).toHaveLength(9);
        const session = responses.find(({ status }) => status === 200)?.json ?? {};
        expect(decodeClaims(session)['amr']).toMatchObject([{ method: 'recovery' }]);
        // The second use shows that the code leaked, so its session is revoked.
        expect(await auth('GET', '/user', { bearer: String(session['access_token']) })).toMatchObject({
          status: 403,
        });
      },
    );

    it(
      'invalidates the code after five wrong verifiers and after five minutes',
      { tags: ['AUTH-42'] },
      async () => {
        const s256 = createHash('sha256').update(verifier).digest('base64url');
        const readCode = async (): Promise<string | null> => {
          const link = await pageLink({ code_challenge: s256, code_challenge_method: 'S256' });
          return new URL((await submitForm(link)).headers.get('Location') ?? '').searchParams.get('code');
        };
        const exchange = (auth_code: string | null, code_verifier: string) =>
          auth('POST', '/token?grant_type=pkce', { body: { auth_code, code_verifier } });
        const guessed = await readCode();
        for (let attempt = 0; attempt < 5; attempt += 1) await exchange(guessed, 'wrong'.repeat(10));
        expect(await exchange(guessed, verifier)).toMatchObject({
          status: 404,
          json: { code: 'flow_state_not_found' },
        });
        clock = new Date(Date.now() + 61_000);
        const expiredCode = await readCode();
        clock = new Date(clock.getTime() + 301_000);
        expect(await exchange(expiredCode, verifier)).toMatchObject({
          status: 422,
          json: { code: 'flow_state_expired' },
        });
      },
    );
  });
});
