import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { authClient } from './support/auth-client.ts';
import { eachEngine, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';

eachEngine('the signed-in user', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let clock: Date | null = null;
  beforeAll(async () => {
    test = await startAuth(engine, { now: () => clock ?? new Date() });
    auth = createAuthRequester(test);
  });
  beforeEach(async () => {
    clock = null;
    ann = await test.createUser();
  });
  afterAll(() => test.close());

  it('GET /user returns the user with identities', { tags: ['C235'] }, async () => {
    const session = await test.signIn(ann);
    const { status, json } = await auth('GET', '/user', { bearer: session.access_token });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: ann.id,
      email: ann.email,
      phone: '',
      aud: 'authenticated',
      identities: [{ id: ann.id, provider: 'email', user_id: ann.id }],
      is_anonymous: false,
    });
    expect(json).not.toHaveProperty('factors');
  });

  describe('GET /user rejects', () => {
    for (const [tags, name, headers, status, code] of [
      [[], 'no header', {}, 401, 'no_authorization'],
      [['AUTH-56'], 'another scheme', { Authorization: 'Basic YTpi' }, 401, 'no_authorization'],
      [[], 'the publishable key', { Authorization: 'Bearer {anon}', apikey: '{anon}' }, 403, 'bad_jwt'],
      [['AUTH-56'], 'an invalid token', { Authorization: 'Bearer %E0%A4%A' }, 403, 'bad_jwt'],
      [[], 'an unknown key', { apikey: 'sb_publishable_nothing' }, 401, 'no_authorization'],
    ] as [string[], string, Record<string, string>, number, string][]) {
      it(`a request with ${name}`, { tags }, async () => {
        const filled = Object.fromEntries(
          Object.entries(headers).map(([header, value]) => [header, value.replace('{anon}', test.anonKey)]),
        );
        const response = await test.request('/auth/v1/user', {
          headers: { ...filled, 'X-Supabase-Api-Version': '2024-01-01' },
        });
        expect({ status: response.status, ...((await response.json()) as object) }).toMatchObject({
          status,
          code,
        });
      });
    }

    it('banned and deleted users immediately', { tags: ['AUTH-24', 'AUTH-25'] }, async () => {
      const session = await test.signIn(ann);
      await test.database.query(
        sql`update auth.users set banned_until = now() + interval '1 day' where id = ${ann.id}`,
      );
      expect(await auth('GET', '/user', { bearer: session.access_token })).toMatchObject({
        status: 403,
        json: { code: 'user_banned' },
      });
      await test.database.query(sql`delete from auth.users where id = ${ann.id}`);
      expect(await auth('GET', '/user', { bearer: session.access_token })).toMatchObject({
        status: 403,
        json: { code: 'user_not_found' },
      });
    });
  });

  describe('PUT /user with a password', () => {
    it(
      'sets it, revokes the other sessions, and keeps the current one',
      { tags: ['C236', 'AUTH-23'] },
      async () => {
        const [current, other] = [await test.signIn(ann), await test.signIn(ann)];
        const { status, json } = await auth('PUT', '/user', {
          bearer: current.access_token,
          body: { password: 'a better password' },
        });
        expect(status).toBe(200);
        expect(json).toMatchObject({ id: ann.id });
        expect((await auth('GET', '/user', { bearer: current.access_token })).status).toBe(200);
        expect(await auth('GET', '/user', { bearer: other.access_token })).toMatchObject({
          status: 403,
          json: { code: 'session_not_found' },
        });
        await expect(test.signIn(ann)).rejects.toThrow('invalid_credentials');
        await test.signIn({ ...ann, password: 'a better password' });
        expect(await test.emailsTo(ann.email)).toHaveLength(1);
      },
    );

    const rejected: [tags: string[], name: string, body: object, status: number, code: string][] = [
      [[], '7 characters', { password: 'kJ3-fu7' }, 422, 'weak_password'],
      [['AUTH-54'], 'a common password', { password: 'password123' }, 422, 'weak_password'],
      [['AUTH-54'], 'the name of the product', { password: 'Lanternrock1!' }, 422, 'weak_password'],
      [['AUTH-53'], '73 bytes', { password: 'x'.repeat(73) }, 400, 'validation_failed'],
      [['AUTH-53'], '19 emoji of four bytes', { password: '🎿'.repeat(19) }, 400, 'validation_failed'],
      [['AUTH-53'], 'NUL', { password: 'abc\u0000defghi' }, 400, 'validation_failed'],
      [[], 'the current password', { password: 'correct horse 1' }, 422, 'same_password'],
      [[], 'a list', { password: ['correct horse 2'] }, 400, 'validation_failed'],
      [
        [],
        'too much data in addition',
        { password: 'a better password', data: { x: 'y'.repeat(5000) } },
        400,
        'validation_failed',
      ],
      [
        [],
        'NUL in the additional data',
        { password: 'a better password', data: { x: 'a\u0000b' } },
        400,
        'validation_failed',
      ],
      [
        [],
        'half a character in the additional data',
        { password: 'a better password', data: { x: ['\ud800'] } },
        400,
        'validation_failed',
      ],
      [
        [],
        'a phone number in addition',
        { password: 'a better password', phone: '+15551234567' },
        422,
        'phone_provider_disabled',
      ],
      [
        ['AUTH-48'],
        'numbers that the database writes with 309 digits',
        { data: { numbers: Array.from({ length: 20 }, () => 1e308) } },
        400,
        'validation_failed',
      ],
      [
        ['AUTH-48'],
        'app_metadata',
        { app_metadata: { role: 'service_role' }, data: { a: 1 } },
        403,
        'not_admin',
      ],
    ];
    for (const [tags, name, body, status, code] of rejected) {
      it(`rejects ${name} and changes nothing`, { tags }, async () => {
        const { access_token } = await test.signIn(ann);
        const before = await test.fingerprint();
        expect(await auth('PUT', '/user', { bearer: access_token, body })).toMatchObject({
          status,
          json: { code },
        });
        expect(await test.fingerprint()).toBe(before);
      });
    }

    it('applies a password and data together or not at all', async () => {
      const [{ access_token: bearer }, other] = [await test.signIn(ann), await test.signIn(ann)];
      const data = { note: 'a literal \\u0000', full_name: 'Ann Both' };
      const body = { password: 'a better password', data };
      expect(await auth('PUT', '/user', { bearer, body })).toMatchObject({
        status: 200,
        json: { user_metadata: data },
      });
      expect((await auth('GET', '/user', { bearer: other.access_token })).status).toBe(403);
      await test.signIn({ ...ann, password: 'a better password' });
    });

    it('returns the reasons for a weak password', async () => {
      const { access_token } = await test.signIn(ann);
      const { json } = await auth('PUT', '/user', { bearer: access_token, body: { password: 'kJ3-fu7' } });
      expect(json).toMatchObject({
        message: 'Password should be at least 8 characters.',
        weak_password: { reasons: ['length'] },
      });
    });

    it.each([
      ['18 emoji', '🎿'.repeat(18)],
      ['72 bytes', 'q'.repeat(72)],
      ['surrounding spaces', '  spaced out  '],
    ])('accepts %s unchanged', { tags: ['AUTH-53'] }, async (_name, password) => {
      const { access_token } = await test.signIn(ann);
      expect((await auth('PUT', '/user', { bearer: access_token, body: { password } })).status).toBe(200);
      await test.signIn({ ...ann, password });
      await expect(test.signIn({ ...ann, password: password.trim().slice(0, -1) })).rejects.toThrow(
        'invalid_credentials',
      );
    });

    it('requires the current password or a code once the session is a day old', async () => {
      const { access_token, refresh_token } = await test.signIn(ann);
      clock = new Date(Date.now() + 25 * 3_600_000);
      const { json } = await auth('POST', '/token?grant_type=refresh_token', { body: { refresh_token } });
      const bearer = String(json['access_token']);
      expect(access_token).not.toBe(bearer);
      const change = (more: object) =>
        auth('PUT', '/user', { bearer, body: { password: 'a better password', ...more } });
      expect(await change({})).toMatchObject({ status: 400, json: { code: 'reauthentication_needed' } });
      expect(await change({ current_password: 'wrong one' })).toMatchObject({
        status: 400,
        json: { code: 'current_password_invalid' },
      });
      expect(await change({ nonce: '000000' })).toMatchObject({
        status: 422,
        json: { code: 'reauthentication_not_valid' },
      });
      expect(await change({ current_password: ann.password })).toMatchObject({ status: 200 });
    });
  });

  it('merges user_metadata by key and removes keys that are null', async () => {
    const { access_token } = await test.signIn(ann);
    await auth('PUT', '/user', {
      bearer: access_token,
      body: { data: { language: 'de', nested: { a: null } } },
    });
    const { json } = await auth('PUT', '/user', {
      bearer: access_token,
      body: { data: { language: null, zone: 'UTC' } },
    });
    expect(json['user_metadata']).toMatchObject({
      full_name: 'Test Person',
      zone: 'UTC',
      nested: { a: null },
    });
    expect(json['user_metadata']).not.toHaveProperty('language');
  });

  it('ignores columns that clients must not set', { tags: ['AUTH-48'] }, async () => {
    const { access_token } = await test.signIn(ann);
    const hostile = {
      id: '00000000-0000-4000-8000-000000000000',
      role: 'service_role',
      aud: 'x',
      banned_until: null,
      is_super_admin: true,
    };
    const { json } = await auth('PUT', '/user', {
      bearer: access_token,
      body: { data: { role: 'service_role' }, ...hostile },
    });
    expect(json).toMatchObject({ id: ann.id, role: 'authenticated', aud: 'authenticated' });
    const next = await test.signIn(ann);
    expect(decodeClaims(next)).toMatchObject({ role: 'authenticated', sub: ann.id });
  });

  describe('POST /logout', () => {
    const isActive = async (session: { access_token: string }): Promise<boolean> =>
      (await auth('GET', '/user', { bearer: session.access_token })).status === 200;

    it.each([
      ['', [false, false]],
      ['?scope=global', [false, false]],
      ['?scope=local', [false, true]],
      ['?scope=others', [true, false]],
    ])(
      '/logout%s revokes the sessions of its scope',
      { tags: ['C233', 'C187', 'AUTH-22'] },
      async (query, expected) => {
        const sessions = [await test.signIn(ann), await test.signIn(ann)] as const;
        const response = await auth('POST', `/logout${query}`, { bearer: sessions[0].access_token });
        expect([response.status, response.text]).toEqual([204, '']);
        expect([await isActive(sessions[0]), await isActive(sessions[1])]).toEqual(expected);
      },
    );

    it('rejects another scope, a missing token, and GET', { tags: ['AUTH-57'] }, async () => {
      const session = await test.signIn(ann);
      expect(await auth('POST', '/logout?scope=all', { bearer: session.access_token })).toMatchObject({
        status: 400,
        json: { code: 'validation_failed', message: 'Unsupported logout scope "all"' },
      });
      expect(await auth('POST', '/logout')).toMatchObject({ status: 403, json: { code: 'bad_jwt' } });
      expect(await auth('GET', '/logout', { bearer: session.access_token })).toMatchObject({ status: 405 });
      expect(await isActive(session)).toBe(true);
    });
  });

  it('works through the published client', { tags: ['C175', 'C176', 'C177', 'C178', 'C179'] }, async () => {
    const client = authClient(test);
    const events: string[] = [];
    client.onAuthStateChange((event) => void events.push(event));
    const signedIn = await client.signInWithPassword({ email: ann.email, password: ann.password });
    expect(signedIn.error).toBeNull();
    expect((await client.getUser()).data.user?.id).toBe(ann.id);
    expect((await client.getClaims()).data?.claims.sub).toBe(ann.id);
    expect((await client.refreshSession()).error).toBeNull();
    expect((await client.updateUser({ password: 'a better password' })).error).toBeNull();
    const weak = await client.updateUser({ password: 'kJ3-fu7' });
    expect(weak.error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] });
    expect((await client.signOut()).error).toBeNull();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT']);
    const wrong = await client.signInWithPassword({ email: ann.email, password: 'not this one' });
    expect(wrong.error).toMatchObject({
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
      status: 400,
    });
  });
});
