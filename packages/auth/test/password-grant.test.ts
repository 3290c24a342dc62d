import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hash as hashRaw } from '@node-rs/argon2';
import { sql } from '@lanternrock/postgres';
import { recordQueries } from './support/work-recorder.ts';
import { createAuthRequester, decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { eachEngine, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';

eachEngine('sign-in with a password', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  beforeAll(async () => {
    test = await startAuth(engine);
    auth = createAuthRequester(test);
    ann = await test.createUser({ email: 'ann@example.org' });
  });
  afterAll(() => test.close());

  const grant = (body: unknown) => auth('POST', '/token?grant_type=password', { body });

  it('creates a session at aal1', { tags: ['C232', 'C184'] }, async () => {
    const { status, json } = await grant({
      email: ann.email,
      password: ann.password,
      gotrue_meta_security: {},
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      user: { id: ann.id, email: ann.email },
    });
    expect(json['expires_at']).toBeTypeOf('number');
    const claims = decodeClaims(json);
    expect(claims).toMatchObject({
      sub: ann.id,
      aud: 'authenticated',
      role: 'authenticated',
      aal: 'aal1',
      is_anonymous: false,
    });
    expect(claims['amr']).toEqual([{ method: 'password', timestamp: expect.any(Number) }]);
  });

  it('ignores letter case and surrounding spaces of the email address', async () => {
    expect((await grant({ email: '  ANN@Example.ORG ', password: ann.password })).status).toBe(200);
  });

  it('accepts a hash from before normalization, and replaces it', async () => {
    const raw = 'Ａｌｐｅｎ-ｗａｃｈｔ-９';
    const user = await test.createUser();
    const store = (hash: string) =>
      test.database.query(sql`update auth.users set encrypted_password = ${hash} where id = ${user.id}`);
    await store(await hashRaw(raw));
    expect((await grant({ email: user.email, password: raw.normalize('NFKC') })).status).toBe(400);
    expect((await grant({ email: user.email, password: raw })).status).toBe(200);
    expect((await grant({ email: user.email, password: raw.normalize('NFKC') })).status).toBe(200);
    // What does not fit in 72 bytes after normalization keeps its hash.
    const long = '\ufdfa'.repeat(20);
    await store(await hashRaw(long));
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect((await grant({ email: user.email, password: long })).status).toBe(200);
    expect((await grant({ email: user.email, password: long.normalize('NFKC') })).status).toBe(400);
  });

  it('never returns a hash or a token of the row', { tags: ['AUTH-59'] }, async () => {
    const { text } = await grant({ email: ann.email, password: ann.password });
    expect(text).not.toMatch(/encrypted_password|token_hash|argon2|refresh_token_key/);
  });

  it('returns the same error to every rejected user', { tags: ['AUTH-05'] }, async () => {
    const banned = await test.createUser();
    await test.database.query(
      sql`update auth.users set banned_until = now() + interval '1 day' where id = ${banned.id}`,
    );
    const unconfirmed = await test.createUser();
    await test.database.query(
      sql`update auth.users set email_confirmed_at = null where id = ${unconfirmed.id}`,
    );
    const passwordless = await test.createUser();
    await test.database.query(
      sql`update auth.users set encrypted_password = null where id = ${passwordless.id}`,
    );
    const emails = [
      ann.email,
      'unknown@example.org',
      banned.email,
      unconfirmed.email,
      passwordless.email,
      'no address',
    ];
    const responses = await Promise.all(emails.map((email) => grant({ email, password: 'wrong password' })));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([
        '400 {"code":"invalid_credentials","error_code":"invalid_credentials","message":"Invalid login credentials"}',
      ]),
    );
    const right = await grant({ email: banned.email, password: banned.password });
    expect(right).toMatchObject({ status: 400, json: { code: 'user_banned' } });
    const early = await grant({ email: unconfirmed.email, password: unconfirmed.password });
    expect(early).toMatchObject({
      status: 400,
      json: { code: 'email_not_confirmed', message: 'Email not confirmed' },
    });
  });

  it('does the same work for a wrong password and an unknown user', { tags: ['AUTH-06'] }, async () => {
    const passwordless = await test.createUser();
    await test.database.query(
      sql`update auth.users set encrypted_password = null where id = ${passwordless.id}`,
    );
    const work = [];
    for (const email of [ann.email, passwordless.email, 'unknown@example.org', 'no address']) {
      work.push(await recordQueries(test.options, () => grant({ email, password: 'wrong password' })));
    }
    expect(work[0]).toEqual(expect.arrayContaining(['begin', 'verify a password', 'commit']));
    for (const other of work.slice(1)) expect(other).toEqual(work[0]);
  });

  it('writes one audit row per sign-in and per failed attempt', { tags: ['AUTH-58'] }, async () => {
    const count = async () => {
      const [row] = await test.database.query<{ ok: number; failed: number }>(sql`select
        count(*) filter (where payload ->> 'action' = 'login')::int as ok,
        count(*) filter (where payload ->> 'action' = 'login_failed')::int as failed from auth.audit_log_entries`);
      return row ?? { ok: 0, failed: 0 };
    };
    const before = await count();
    await grant({ email: ann.email, password: ann.password });
    await grant({ email: ann.email, password: 'wrong password' });
    expect(await count()).toEqual({ ok: before.ok + 1, failed: before.failed + 1 });
  });

  it('accepts bcrypt hashes and replaces them with argon2id', async () => {
    const imported = await test.createUser();
    // The bcrypt hash of "from elsewhere" with cost 10.
    const { default: bcrypt } = await import('bcryptjs');
    await test.database
      .query(sql`update auth.users set encrypted_password = ${bcrypt.hashSync('from elsewhere', 10)}
      where id = ${imported.id}`);
    expect((await grant({ email: imported.email, password: 'from elsewhere' })).status).toBe(200);
    const [row] = await test.database.query<{ encrypted_password: string }>(
      sql`select encrypted_password from auth.users where id = ${imported.id}`,
    );
    expect(row?.encrypted_password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await grant({ email: imported.email, password: 'from elsewhere' })).status).toBe(200);
  });

  describe('rejects and changes nothing', () => {
    const cases: [string[], name: string, body: unknown, status: number, code: string, message: string][] = [
      [
        [],
        'both contacts',
        { email: 'a@b.co', phone: '1', password: 'x' },
        400,
        'validation_failed',
        'Only an email address or phone number should be provided on login.',
      ],
      [[], 'no contact', { password: 'x' }, 400, 'validation_failed', 'missing email or phone'],
      [
        [],
        'a phone number while phone sign-in is disabled',
        { phone: '+4915112345678', password: 'x' },
        422,
        'phone_provider_disabled',
        'Phone logins are disabled',
      ],
      [
        ['AUTH-53'],
        '73 bytes',
        { email: 'ann@example.org', password: 'a'.repeat(73) },
        400,
        'validation_failed',
        'Password cannot be longer than 72 characters',
      ],
      [
        ['AUTH-56'],
        'an operator object',
        { email: { $ne: 1 }, password: 'x' },
        400,
        'validation_failed',
        'email must be a string',
      ],
      [['AUTH-56'], 'a list', [], 400, 'bad_json', 'Could not parse request body as JSON: not an object'],
      [
        ['AUTH-56'],
        'deep nesting',
        { email: 'a@b.co', data: JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`) as unknown },
        400,
        'bad_json',
        'Could not parse request body as JSON: nested too deeply',
      ],
      [
        [],
        'NUL in the email address',
        { email: 'a\u0000@b.co', password: 'x' },
        400,
        'invalid_credentials',
        'Invalid login credentials',
      ],
    ];
    for (const [tags, name, body, status, code, message] of cases) {
      it(`a request with ${name}`, { tags }, async () => {
        const before = await test.fingerprint();
        expect(await grant(body)).toMatchObject({ status, json: { code, message } });
        expect(await test.fingerprint()).toBe(before);
      });
    }

    it.each([
      '/token',
      '/token?grant_type=none',
      '/token?grant_type=password&grant_type=password',
      '/token?grant_type=toString',
    ])('the grant type of %s', { tags: ['AUTH-56'] }, async (path) => {
      const { status, json } = await auth('POST', path, {
        body: { email: ann.email, password: ann.password },
      });
      expect({ status, json }).toMatchObject({
        status: 400,
        json: { code: 'invalid_credentials', message: 'unsupported_grant_type' },
      });
    });

    it('a form instead of JSON', { tags: ['AUTH-57'] }, async () => {
      const response = await test.request('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ email: ann.email, password: ann.password }).toString(),
      });
      expect([response.status, response.headers.get('x-sb-error-code')]).toEqual([
        415,
        'unsupported_media_type',
      ]);
    });
  });

  it('returns the older error format to clients without a version', async () => {
    const { status, json, headers } = await auth('POST', '/token?grant_type=password', {
      body: { email: ann.email, password: 'nope nope' },
      version: null,
    });
    expect({ status, json }).toEqual({
      status: 400,
      json: { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' },
    });
    expect(headers.get('X-Supabase-Api-Version')).toBeNull();
    expect(headers.get('x-sb-error-code')).toBe('invalid_credentials');
  });
});
