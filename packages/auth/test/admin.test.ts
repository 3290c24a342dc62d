import { randomUUID } from 'node:crypto';
import bcrypt from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from './support/auth-requests.ts';
import { eachEngine, startAuth, type AuthFixture } from './support/start-auth.ts';

let counter = 0;
const freshEmail = (): string => `admin-made${(counter += 1)}@example.org`;

eachEngine('admin endpoints with the secret key', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  beforeAll(async () => {
    test = await startAuth(engine);
    auth = createAuthRequester(test);
  });
  afterAll(() => test.close());
  const admin: AuthRequester = (method, path, call = {}) =>
    auth(method, path, { bearer: test.serviceRoleKey, ...call });
  const create = async (body: object = {}) => {
    const { json } = await admin('POST', '/admin/users', {
      body: { email: freshEmail(), email_confirm: true, ...body },
    });
    return json as { id: string; email: string };
  };

  const routes: [string, string][] = [
    ['GET', '/admin/users'],
    ['POST', '/admin/users'],
    ['GET', `/admin/users/${randomUUID()}`],
    ['PUT', `/admin/users/${randomUUID()}`],
    ['DELETE', `/admin/users/${randomUUID()}`],
    ['POST', '/invite'],
    ['POST', '/admin/generate_link'],
    ['GET', '/admin/audit'],
    ['GET', `/admin/users/${randomUUID()}/factors`],
    ['GET', `/admin/users/${randomUUID()}/passkeys`],
  ];
  it.each(routes)('rejects %s %s without the secret key', { tags: ['AUTH-51'] }, async (method, path) => {
    const session = await test.signIn(await test.createUser());
    const before = await test.fingerprint();
    const body =
      method === 'GET' ? {} : { body: { email: freshEmail(), type: 'recovery', role: 'service_role' } };
    expect(await auth(method, path, body)).toMatchObject({
      status: 403,
      json: { code: 'not_admin', message: 'User not allowed' },
    });
    expect(await auth(method, path, { ...body, bearer: session.access_token })).toMatchObject({
      status: 403,
      json: { code: 'not_admin' },
    });
    const bare = await test.request(`/auth/v1${path}?role=service_role`, {
      method,
      body: method === 'GET' ? null : '{}',
    });
    expect(bare.status).toBe(401);
    expect(await test.fingerprint()).toBe(before);
  });

  it('returns session_expired for a token of an ended session', { tags: ['AUTH-51'] }, async () => {
    const session = await test.signIn(await test.createUser());
    await auth('POST', '/logout', { bearer: session.access_token });
    expect(await auth('GET', '/admin/users', { bearer: session.access_token })).toMatchObject({
      status: 403,
      json: { code: 'session_expired' },
    });
  });

  describe('POST /admin/users', () => {
    it('creates confirmed and unconfirmed users with metadata, who can sign in', async () => {
      const { status, json } = await admin('POST', '/admin/users', {
        body: {
          email: freshEmail().toUpperCase(),
          password: 'short1',
          email_confirm: true,
          user_metadata: { a: 1 },
          app_metadata: { team: 'x' },
        },
      });
      expect({ status, json }).toMatchObject({
        status: 200,
        json: {
          user_metadata: { a: 1 },
          app_metadata: { provider: 'email', providers: ['email'], team: 'x' },
          email_confirmed_at: expect.any(String),
        },
      });
      await test.signIn({ email: String(json['email']), password: 'short1' });
      expect(json).not.toHaveProperty('encrypted_password');
      const unconfirmed = await admin('POST', '/admin/users', { body: { email: freshEmail() } });
      expect(unconfirmed.json).not.toHaveProperty('email_confirmed_at');
    });

    it('creates a user with an imported hash and a given ID', async () => {
      const id = randomUUID();
      const user = await create({ id, password_hash: bcrypt.hashSync('from elsewhere', 4) });
      expect(user.id).toBe(id);
      await test.signIn({ email: user.email, password: 'from elsewhere' });
    });

    it.each([
      [{}, 400, 'validation_failed', 'Cannot create a user without either an email or phone'],
      [{ email: 'x' }, 400, 'validation_failed', 'Unable to validate email address: invalid format'],
      [
        { email: 'a@b.co', password: 'x', password_hash: '$2b$10$x' },
        400,
        'validation_failed',
        'Only a password or a password hash should be provided',
      ],
      [
        { email: 'a@b.co', password_hash: 'plain' },
        400,
        'validation_failed',
        'password_hash must be a bcrypt or argon2 hash',
      ],
      [{ email: 'a@b.co', id: 'x' }, 400, 'validation_failed', 'ID must conform to the uuid v4 format'],
      [
        { email: 'a@b.co', ban_duration: 'soon' },
        400,
        'validation_failed',
        'invalid format for ban duration: soon',
      ],
      [
        { email: 'a@b.co', role: 'service_role' },
        400,
        'validation_failed',
        'The role service_role cannot be assigned to a user',
      ],
      [{ email: 'a@b.co', user_metadata: [] }, 400, 'validation_failed', 'user_metadata must be an object'],
    ])('rejects %j', async (body, status, code, message) => {
      const before = await test.fingerprint();
      expect(await admin('POST', '/admin/users', { body })).toMatchObject({
        status,
        json: { code, message },
      });
      expect(await test.fingerprint()).toBe(before);
    });

    it.each(['user_metadata', 'app_metadata'])('limits the merged %s', async (field) => {
      const path = `/admin/users/${(await test.createUser()).id}`;
      const put = (key: string) => admin('PUT', path, { body: { [field]: { [key]: 'x'.repeat(3000) } } });
      expect((await put('a')).status).toBe(200);
      const before = await test.fingerprint();
      expect(await put('b')).toMatchObject({ status: 400, json: { code: 'validation_failed' } });
      expect(await test.fingerprint()).toBe(before);
    });

    it('rejects a duplicate email address in any letter case, also concurrently', async () => {
      const email = freshEmail();
      const responses = await Promise.all(
        [email, email.toUpperCase(), ` ${email}`].map((one) =>
          admin('POST', '/admin/users', { body: { email: one } }),
        ),
      );
      expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422, 422]);
      expect(responses.find(({ status }) => status === 422)?.json).toMatchObject({ code: 'email_exists' });
    });
  });

  describe('PUT /admin/users/:id', () => {
    it('revokes every session when it sets a password', async () => {
      const ann = await test.createUser();
      const session = await test.signIn(ann);
      expect(
        (await admin('PUT', `/admin/users/${ann.id}`, { body: { password: 'a better password' } })).status,
      ).toBe(200);
      expect(await auth('GET', '/user', { bearer: session.access_token })).toMatchObject({
        status: 403,
        json: { code: 'session_not_found' },
      });
      await test.signIn({ ...ann, password: 'a better password' });
      expect(await admin('PUT', `/admin/users/${ann.id}`, { body: { password: 'short' } })).toMatchObject({
        status: 422,
        json: { code: 'weak_password' },
      });
    });

    it('bans immediately and restores no session when the ban ends', { tags: ['AUTH-24'] }, async () => {
      const ann = await test.createUser();
      const session = await test.signIn(ann);
      const banned = await admin('PUT', `/admin/users/${ann.id}`, { body: { ban_duration: '1h30m' } });
      const bannedUntilMs = Date.parse(String(banned.json['banned_until']));
      expect(Math.abs(bannedUntilMs - Date.now() - 5_400_000)).toBeLessThan(60_000);
      expect(await auth('GET', '/user', { bearer: session.access_token })).toMatchObject({
        status: 403,
        json: { code: 'user_banned' },
      });
      await admin('PUT', `/admin/users/${ann.id}`, { body: { ban_duration: 'none' } });
      expect((await auth('GET', '/user', { bearer: session.access_token })).status).toBe(200);
    });

    it('changes an email address immediately and rejects an existing one', async () => {
      const [ann, ben] = [await test.createUser(), await test.createUser()];
      const email = freshEmail();
      const changed = await admin('PUT', `/admin/users/${ann.id}`, { body: { email } });
      expect(changed.json).toMatchObject({ email, identities: [{ identity_data: { email } }] });
      expect(await admin('PUT', `/admin/users/${ann.id}`, { body: { email: ben.email } })).toMatchObject({
        status: 422,
        json: { code: 'email_exists' },
      });
      await test.signIn({ ...ann, email });
    });

    it('returns 404 for an unknown user', async () => {
      expect(await admin('GET', '/admin/users/x')).toMatchObject({
        status: 404,
        json: { code: 'validation_failed', message: 'user_id must be an UUID' },
      });
      expect(await admin('GET', `/admin/users/${randomUUID()}`)).toMatchObject({
        status: 404,
        json: { code: 'user_not_found', message: 'User not found' },
      });
    });
  });

  describe('DELETE /admin/users/:id', () => {
    it('deletes a user with all dependent rows', { tags: ['AUTH-25'] }, async () => {
      const ann = await test.createUser();
      const session = await test.signIn(ann);
      expect(await admin('DELETE', `/admin/users/${ann.id}`, { body: {} })).toMatchObject({
        status: 200,
        text: '{}',
      });
      expect(await auth('GET', '/user', { bearer: session.access_token })).toMatchObject({
        status: 403,
        json: { code: 'user_not_found' },
      });
      const [rows] = await test.database.query(sql`select
        (select count(*)::int from auth.identities where user_id = ${ann.id}) + (select count(*)::int from auth.sessions where user_id = ${ann.id}) as left`);
      expect(rows).toEqual({ left: 0 });
    });

    it('keeps the row without personal data on a soft delete and frees the email address', async () => {
      const ann = await test.createUser({ email: freshEmail() });
      const session = await test.signIn(ann);
      await admin('DELETE', `/admin/users/${ann.id}`, { body: { should_soft_delete: true } });
      expect((await auth('GET', '/user', { bearer: session.access_token })).status).toBe(403);
      const [row] = await test.database.query<{
        text: string;
      }>(sql`select u::text || coalesce(string_agg(i::text, ''), '') as text
        from auth.users u left join auth.identities i on i.user_id = u.id where u.id = ${ann.id} group by u.*, u.id`);
      expect(row?.text).not.toContain(ann.email);
      expect((await admin('POST', '/admin/users', { body: { email: ann.email } })).status).toBe(200);
    });
  });

  it('lists users by page, newest first, with the pagination links that the client reads', async () => {
    for (let count = 0; count < 3; count += 1) await create({ user_metadata: { full_name: 'Zebra Page' } });
    const page = await admin('GET', '/admin/users?page=1&per_page=2&filter=zebra');
    expect(page.json['users']).toHaveLength(2);
    expect(page.headers.get('X-Total-Count')).toBe('3');
    const link = '</auth/v1/admin/users?page=2&per_page=2&filter=zebra>';
    expect(page.headers.get('Link')).toBe(`${link}; rel="next", ${link}; rel="last"`);
    expect((await admin('GET', '/admin/users?page=&per_page=')).status).toBe(200);
    for (const bad of ['page=x', 'page=-1', 'per_page=1e3', "page=1'"]) {
      expect(await admin('GET', `/admin/users?${bad}`)).toMatchObject({
        status: 400,
        json: { code: 'validation_failed' },
      });
    }
    expect(
      (await admin('GET', `/admin/users?filter=${encodeURIComponent("%' or 1=1--")}`)).json,
    ).toMatchObject({ users: [] });
  });

  it('POST /invite emails a link, again to an unconfirmed user, and rejects a confirmed one', async () => {
    const email = freshEmail();
    const invite = (to: string, path = '/invite') =>
      admin('POST', path, { body: { email: to, data: { full_name: 'Guest' } } });
    const invited = await invite(email);
    expect(invited).toMatchObject({
      status: 200,
      json: { email, invited_at: expect.any(String), confirmation_sent_at: expect.any(String) },
    });
    expect((await invite(email)).json['id']).toBe(invited.json['id']);
    const links = await test.linksTo(email);
    expect(links).toHaveLength(2);
    const open = (index: number) =>
      auth('POST', '/verify', {
        body: { type: 'invite', token_hash: links[index]?.searchParams.get('token_hash') },
      });
    expect((await open(0)).status).toBe(403);
    const session = await open(1);
    expect(
      (
        await auth('PUT', '/user', {
          bearer: String(session.json['access_token']),
          body: { password: 'a fine password' },
        })
      ).json,
    ).toMatchObject({ email_confirmed_at: expect.any(String) });
    expect((await open(1)).status).toBe(403);
    expect(await invite(email)).toMatchObject({ status: 422, json: { code: 'email_exists' } });
    expect(await invite('x')).toMatchObject({ status: 400 });
  });

  describe('POST /admin/generate_link', () => {
    const generate = (body: object) => admin('POST', '/admin/generate_link', { body });
    it.each(['invite', 'magiclink', 'recovery'])(
      'returns a valid link and token for %s and sends no email',
      async (type) => {
        const ann = await test.createUser({ email: freshEmail() });
        if (type === 'invite')
          await test.database.query(
            sql`update auth.users set email_confirmed_at = null where id = ${ann.id}`,
          );
        const { status, json } = await generate({
          type,
          email: ann.email,
          redirect_to: 'http://localhost:3000/x',
        });
        expect({ status, json }).toMatchObject({
          status: 200,
          json: { id: ann.id, verification_type: type, redirect_to: 'http://localhost:3000/x' },
        });
        expect(String(json['action_link'])).toBe(
          `http://localhost:3000/auth/v1/verify?token=${String(json['hashed_token'])}&type=${type}&redirect_to=http%3A%2F%2Flocalhost%3A3000%2Fx`,
        );
        expect(await test.linksTo(ann.email)).toEqual([]);
        const verified = await auth('POST', '/verify', {
          body: { type, email: ann.email, token: json['email_otp'] },
        });
        expect(verified.status).toBe(200);
      },
    );

    it('replaces an earlier magic link', async () => {
      const { email } = await test.createUser({ email: freshEmail() });
      const links = [];
      for (let count = 0; count < 5; count += 1) links.push(await generate({ type: 'magiclink', email }));
      const statuses = [];
      for (const { json } of links) {
        const body = { type: 'magiclink', token_hash: json['hashed_token'] };
        statuses.push((await auth('POST', '/verify', { body })).status);
      }
      expect(statuses).toEqual([403, 403, 403, 403, 200]);
    });

    it('requires both links for an email change', async () => {
      const ann = await test.createUser({ email: freshEmail() });
      const next = freshEmail();
      for (const [type, status] of [
        ['email_change_current', 'waiting'],
        ['email_change_new', 'done'],
      ]) {
        const { json } = await generate({ type, email: ann.email, new_email: next });
        const response = await auth('POST', '/verify', {
          body: { type: 'email_change', token_hash: json['hashed_token'] },
        });
        expect(response.json).toMatchObject(status === 'done' ? { user: { email: next } } : { code: '200' });
      }
    });

    it.each([
      [
        { type: 'nonsense', email: 'a@b.co' },
        400,
        'validation_failed',
        'Invalid email action link type requested: nonsense',
      ],
      [
        { type: 'recovery', email: 'unknown@example.org' },
        404,
        'user_not_found',
        'User with this email not found',
      ],
      [
        { type: 'signup', email: 'unknown@example.org' },
        400,
        'validation_failed',
        'Signup requires a valid password',
      ],
    ])('rejects %j', async (body, status, code, message) => {
      expect(await generate(body)).toMatchObject({ status, json: { code, message } });
    });

    it('never redirects a token to a URL that is not allowed', async () => {
      const ann = await test.createUser();
      const { json } = await generate({
        type: 'recovery',
        email: ann.email,
        redirect_to: 'https://evil.example',
      });
      expect(json['redirect_to']).toBe('http://localhost:3000/');
    });
  });

  it('GET /admin/audit lists actions without secrets', async () => {
    const ann = await test.createUser();
    const session = await test.signIn(ann);
    const { json, text } = await admin('GET', `/admin/audit?query=author:${encodeURIComponent(ann.email)}`);
    expect(json).toMatchObject([
      { payload: { action: 'login', actor_id: ann.id, log_type: 'account' }, ip_address: '127.0.0.1' },
    ]);
    expect(text).not.toContain(session.refresh_token);
    expect((await admin('GET', '/admin/audit?query=nonsense')).status).toBe(400);
  });
});
