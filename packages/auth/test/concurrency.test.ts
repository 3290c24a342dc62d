/** Single-use credentials stay single-use under ten concurrent requests. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthResponse, type AuthRequester } from './support/auth-requests.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { eachEngine, siteUrl, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';
import { lockUser } from '../src/users/user-records.ts';
import { SoftwareAuthenticator } from './support/software-authenticator.ts';
import { waitUntilBlocked } from '@lanternrock/testing/wait-until-blocked';

eachEngine('ten concurrent requests', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let clock = Date.now();
  const now = (): Date => new Date(clock);
  beforeAll(async () => {
    test = await startAuth(engine, { now, settings: { SIGNUP: true } });
    auth = createAuthRequester(test);
  });
  beforeEach(async () => {
    clock += 90_000;
    ann = await test.createUser();
  });
  afterAll(() => test.close());

  const tenTimes = (use: (index: number) => Promise<AuthResponse>): Promise<AuthResponse[]> =>
    Promise.all(Array.from({ length: 10 }, (_, index) => use(index)));
  /** Expects exactly one success and nine equal errors. */
  const expectOne = (responses: readonly AuthResponse[], status: number, code: string): AuthResponse => {
    const [success] = responses.filter((response) => response.status === 200);
    const rejected = responses.filter((response) => response !== success);
    expect(rejected.map((response) => [response.status, response.json['code']])).toEqual(
      Array.from({ length: 9 }, () => [status, code]),
    );
    if (!success) throw new Error('no request succeeded');
    return success;
  };
  const countSessions = async (userId: string): Promise<number> =>
    (await test.database.query(sql`select from auth.sessions where user_id = ${userId}`)).length;
  const tokenIn = async (email: string): Promise<string> =>
    (await test.linksTo(email)).at(-1)?.searchParams.get('token_hash') ?? '';
  const codeTo = async (email: string): Promise<string> => (await test.emailsTo(email)).at(-1)?.code ?? '';
  const verify = (type: string, token_hash: string) =>
    auth('POST', '/verify', { body: { type, token_hash } });

  it('with a magic link create one session', { tags: ['AUTH-31'] }, async () => {
    await auth('POST', '/otp', { body: { email: ann.email } });
    const token = await tokenIn(ann.email);
    expectOne(await tenTimes(() => verify('magiclink', token)), 403, 'otp_expired');
    expect(await countSessions(ann.id)).toBe(1);
  });

  it('with an emailed code create one session', { tags: ['AUTH-31'] }, async () => {
    await auth('POST', '/otp', { body: { email: ann.email } });
    const body = { type: 'email', email: ann.email, token: await codeTo(ann.email) };
    expectOne(await tenTimes(() => auth('POST', '/verify', { body })), 403, 'otp_expired');
    expect(await countSessions(ann.id)).toBe(1);
  });

  it('with a confirmation link create one session', { tags: ['AUTH-31'] }, async () => {
    const email = 'newcomer@example.org';
    await auth('POST', '/signup', { body: { email, password: 'a fine password' } });
    const token = await tokenIn(email);
    const { json } = expectOne(await tenTimes(() => verify('signup', token)), 403, 'otp_expired');
    expect(await countSessions((json['user'] as TestUser).id)).toBe(1);
  });

  it('with a recovery link set one password', { tags: ['AUTH-31'] }, async () => {
    await auth('POST', '/recover', { body: { email: ann.email } });
    const token = await tokenIn(ann.email);
    // The link stays valid until a password is set.
    const opened = await tenTimes(() => verify('recovery', token));
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const responses = await tenTimes((index) =>
      auth('PUT', '/user', {
        bearer: String(opened[index]?.json['access_token']),
        body: { password: `a better password ${index}` },
      }),
    );
    const winner = responses.findIndex(({ status }) => status === 200);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    await test.signIn({ ...ann, password: `a better password ${winner}` });
    expect(await verify('recovery', token)).toMatchObject({ status: 403, json: { code: 'otp_expired' } });
  });

  describe('with an email change', { tags: ['AUTH-31'] }, () => {
    const change = async () => {
      const { access_token } = await test.signIn(ann);
      const next = `next-${ann.email}`;
      await auth('PUT', '/user', { bearer: access_token, body: { email: next } });
      return { next, old: await tokenIn(ann.email), fresh: await tokenIn(next) };
    };
    const readEmail = async (): Promise<unknown> =>
      (await test.database.query(sql`select email from auth.users where id = ${ann.id}`))[0]?.['email'];

    it('confirm each mailbox once', async () => {
      const { next, old, fresh } = await change();
      const first = expectOne(await tenTimes(() => verify('email_change', old)), 403, 'otp_expired');
      expect(first.json).toMatchObject({ code: '200' });
      expect(await readEmail()).toBe(ann.email);
      const second = expectOne(await tenTimes(() => verify('email_change', fresh)), 403, 'otp_expired');
      expect(second.json).toMatchObject({ user: { email: next } });
      expect(await readEmail()).toBe(next);
    });

    it('change the email address when both mailboxes confirm concurrently', async () => {
      const { next, old, fresh } = await change();
      const responses = await tenTimes((index) => verify('email_change', index % 2 ? old : fresh));
      const successes = responses.filter(({ status }) => status === 200);
      expect(successes.map(({ json }) => 'access_token' in json).sort()).toEqual([false, true]);
      expect(await readEmail()).toBe(next);
    });
  });

  it(
    'with a PKCE code create one session, and the second use revokes it',
    { tags: ['AUTH-41'] },
    async () => {
      const verifier = 'v'.repeat(64);
      const code_challenge = createHash('sha256').update(verifier).digest('base64url');
      await auth('POST', '/otp', {
        body: { email: ann.email, code_challenge, code_challenge_method: 's256' },
      });
      const link = (await test.linksTo(ann.email)).at(-1);
      const verified = await test.request('/auth/v1/verify', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: link?.searchParams.toString() ?? '',
      });
      const auth_code = new URL(verified.headers.get('Location') ?? '').searchParams.get('code');
      const body = { auth_code, code_verifier: verifier };
      const responses = await tenTimes(() => auth('POST', '/token?grant_type=pkce', { body }));
      expectOne(responses, 404, 'flow_state_not_found');
      expect(await countSessions(ann.id)).toBe(0);
    },
  );

  it('with a code of an authenticator app elevate one session', { tags: ['AUTH-46'] }, async () => {
    const { access_token } = await test.signIn(ann);
    const factor = await addSecondFactor(auth, access_token, now);
    clock += 90_000;
    const sessions = await Promise.all(Array.from({ length: 10 }, () => test.signIn(ann)));
    const challenges = await Promise.all(sessions.map((session) => factor.challenge(session.access_token)));
    const code = factor.code();
    const responses = await tenTimes((index) =>
      factor.verify(String(sessions[index]?.access_token), challenges[index] ?? '', code),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const levels = await test.database.query<{ aal: string }>(
      sql`select aal::text from auth.sessions where user_id = ${ann.id}`,
    );
    // The session of the enrollment and the elevated one remain. The others are revoked.
    expect(levels).toEqual([{ aal: 'aal2' }, { aal: 'aal2' }]);
  });

  it.runIf(engine === 'postgres')('do not elevate a session that is revoked concurrently', async () => {
    const { access_token } = await test.signIn(ann);
    const factor = await addSecondFactor(auth, access_token, now);
    clock += 90_000;
    const session = await test.signIn(ann);
    const challenge = await factor.challenge(session.access_token);
    const { response } = await test.database.transaction(async (tx) => {
      await tx.query(sql`select from auth.users where id = ${ann.id} for update`);
      await tx.query(sql`delete from auth.sessions where user_id = ${ann.id}`);
      const pending = factor.verify(session.access_token, challenge, factor.code());
      await waitUntilBlocked(test.database);
      return { response: pending };
    });
    expect(await response).toMatchObject({ status: 403, json: { code: 'session_not_found' } });
    expect(await countSessions(ann.id)).toBe(0);
  });

  it.runIf(engine === 'postgres')("on a user do not wait for each other's foreign keys", async () => {
    // A row that a transaction updates twice is checked against its user again.
    const token = sql`insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, expires_at)
      values (${ann.id}, 'reauthentication', ${randomUUID()}, ${ann.email}, now() + interval '1 hour')`;
    await test.database.transaction(async (tx) => {
      await lockUser(tx, ann.id);
      await test.database.transaction(async (other) => {
        await other.query(sql`set local lock_timeout = '2s'`);
        await other.query(token);
      });
    });
  });

  it('with a recovery code elevate one session', { tags: ['AUTH-46'] }, async () => {
    const { access_token } = await test.signIn(ann);
    const { elevated } = await addSecondFactor(auth, access_token, now);
    const bearer = String(elevated.json['access_token']);
    const { json } = await auth('POST', '/factors/recovery-codes', { bearer });
    const [code] = json['codes'] as string[];
    const fresh = await test.signIn(ann);
    const responses = await tenTimes(() =>
      auth('POST', '/factors/recovery-codes/verify', { bearer: fresh.access_token, body: { code } }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const [left] = await test.database.query<{ used: number }>(sql`select count(*)::int as used
      from auth.recovery_codes c join auth.recovery_code_sets s on s.id = c.set_id
      where s.user_id = ${ann.id} and c.used_at is not null`);
    expect(left).toEqual({ used: 1 });
  });

  it.runIf(engine === 'postgres')(
    'regenerate no recovery codes that are removed concurrently, and do not deadlock',
    async () => {
      const { access_token } = await test.signIn(ann);
      const { elevated } = await addSecondFactor(auth, access_token, now);
      const bearer = String(elevated.json['access_token']);
      await auth('POST', '/factors/recovery-codes', { bearer });
      const { response } = await test.database.transaction(async (tx) => {
        await tx.query(sql`select from auth.users where id = ${ann.id} for update`);
        const pending = auth('POST', '/factors/recovery-codes/regenerate', { bearer });
        await waitUntilBlocked(test.database);
        await tx.query(sql`delete from auth.recovery_code_sets where user_id = ${ann.id}`);
        return { response: pending };
      });
      expect(await response).toMatchObject({ status: 404, json: { code: 'mfa_factor_not_found' } });
      const sets = sql`select from auth.recovery_code_sets where user_id = ${ann.id}`;
      expect(await test.database.query(sets)).toEqual([]);
    },
  );

  describe('with a WebAuthn challenge', () => {
    type CreationOptions = Parameters<SoftwareAuthenticator['create']>[0];
    type RequestOptions = Parameters<SoftwareAuthenticator['get']>[0];
    const key = new SoftwareAuthenticator(siteUrl);

    it('register one passkey and create one session', async () => {
      const { access_token: bearer } = await test.signIn(ann);
      const registration = await auth('POST', '/passkeys/registration/options', { bearer, body: {} });
      const credential = key.create(registration.json['options'] as CreationOptions);
      const body = { challenge_id: registration.json['challenge_id'], credential };
      expectOne(
        await tenTimes(() => auth('POST', '/passkeys/registration/verify', { bearer, body })),
        400,
        'webauthn_challenge_not_found',
      );
      const authentication = await auth('POST', '/passkeys/authentication/options', { body: {} });
      const assertion = {
        challenge_id: authentication.json['challenge_id'],
        credential: key.get(authentication.json['options'] as RequestOptions),
      };
      expectOne(
        await tenTimes(() => auth('POST', '/passkeys/authentication/verify', { body: assertion })),
        400,
        'webauthn_challenge_not_found',
      );
      // One session by password and one by passkey.
      expect(await countSessions(ann.id)).toBe(2);
    });

    // On the embedded engine, transactions run one after the other.
    it.runIf(engine === 'postgres').each(['bans the user', 'removes the passkey'])(
      'create no session while a concurrent action %s',
      async (action) => {
        const ownKey = new SoftwareAuthenticator(siteUrl);
        const { access_token: bearer } = await test.signIn(ann);
        const registration = await auth('POST', '/passkeys/registration/options', { bearer, body: {} });
        const credential = ownKey.create(registration.json['options'] as CreationOptions);
        await auth('POST', '/passkeys/registration/verify', {
          bearer,
          body: { challenge_id: registration.json['challenge_id'], credential },
        });
        const authentication = await auth('POST', '/passkeys/authentication/options', { body: {} });
        const body = {
          challenge_id: authentication.json['challenge_id'],
          credential: ownKey.get(authentication.json['options'] as RequestOptions),
        };
        const signIn = await test.database.transaction(async (tx) => {
          await tx.query(sql`select from auth.users where id = ${ann.id} for update`);
          await tx.query(
            action === 'bans the user'
              ? sql`update auth.users set banned_until = 'infinity' where id = ${ann.id}`
              : sql`delete from auth.webauthn_credentials where user_id = ${ann.id}`,
          );
          await tx.query(sql`delete from auth.sessions where user_id = ${ann.id}`);
          const response = auth('POST', '/passkeys/authentication/verify', { body });
          await waitUntilBlocked(test.database);
          return { response };
        });
        expect(await signIn.response).toMatchObject(
          action === 'bans the user'
            ? { status: 403, json: { code: 'user_banned' } }
            : { status: 400, json: { code: 'webauthn_verification_failed' } },
        );
        expect(await countSessions(ann.id)).toBe(0);
      },
    );

    it.runIf(engine === 'postgres').each(['a passkey', 'a change of email'])(
      'add no %s in a session that is revoked concurrently',
      async (change) => {
        const { access_token: bearer } = await test.signIn(ann);
        const registration = await auth('POST', '/passkeys/registration/options', { bearer, body: {} });
        const credential = new SoftwareAuthenticator(siteUrl).create(
          registration.json['options'] as CreationOptions,
        );
        const passkey = { challenge_id: registration.json['challenge_id'], credential };
        const { response } = await test.database.transaction(async (tx) => {
          await tx.query(sql`select from auth.users where id = ${ann.id} for update`);
          await tx.query(sql`delete from auth.sessions where user_id = ${ann.id}`);
          const pending =
            change === 'a passkey'
              ? auth('POST', '/passkeys/registration/verify', { bearer, body: passkey })
              : auth('PUT', '/user', { bearer, body: { email: `new-${ann.email}` } });
          await waitUntilBlocked(test.database);
          return { response: pending };
        });
        expect(await response).toMatchObject({ status: 403, json: { code: 'session_not_found' } });
        const added = sql`select user_id::text as id from auth.webauthn_credentials where user_id = ${ann.id}
          union all select user_id::text from auth.one_time_tokens where user_id = ${ann.id}`;
        expect(await test.database.query(added)).toEqual([]);
      },
    );

    it('elevate a session once', { tags: ['AUTH-46'] }, async () => {
      const { access_token: bearer } = await test.signIn(ann);
      const enrolled = await auth('POST', '/factors', { bearer, body: { factor_type: 'webauthn' } });
      const path = `/factors/${String(enrolled.json['id'])}`;
      const challenged = await auth('POST', `${path}/challenge`, { bearer, body: {} });
      const { credential_options } = challenged.json['webauthn'] as {
        credential_options: { publicKey: CreationOptions };
      };
      const credential_response = key.create(credential_options.publicKey);
      const body = { challenge_id: challenged.json['id'], webauthn: { type: 'create', credential_response } };
      const responses = await tenTimes(() => auth('POST', `${path}/verify`, { bearer, body }));
      expectOne(responses, 422, 'mfa_ip_address_mismatch');
    });
  });

  it('store no more metadata than an access token can contain', { tags: ['AUTH-48'] }, async () => {
    const { access_token: bearer } = await test.signIn(ann);
    const responses = await tenTimes((index) =>
      auth('PUT', '/user', { bearer, body: { data: { [`k${index}`]: 'x'.repeat(4000) } } }),
    );
    expectOne(responses, 400, 'validation_failed');
    const next = await test.signIn(ann);
    expect(await auth('GET', '/user', { bearer: next.access_token })).toMatchObject({ status: 200 });
  });

  it('with a reauthentication code set one password', async () => {
    const { access_token: bearer } = await test.signIn(ann);
    await auth('GET', '/reauthenticate', { bearer });
    const nonce = await codeTo(ann.email);
    const responses = await tenTimes((index) =>
      auth('PUT', '/user', { bearer, body: { nonce, password: `a better password ${index}` } }),
    );
    const winner = responses.findIndex(({ status }) => status === 200);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    await test.signIn({ ...ann, password: `a better password ${winner}` });
  });

  it('with a reauthentication code request one change of email', async () => {
    const { access_token: bearer } = await test.signIn(ann);
    await test.database.query(
      sql`update auth.sessions set created_at = now() - interval '1 hour' where user_id = ${ann.id}`,
    );
    await auth('GET', '/reauthenticate', { bearer });
    const nonce = await codeTo(ann.email);
    const responses = await tenTimes((index) =>
      auth('PUT', '/user', { bearer, body: { nonce, email: `${index}-${randomUUID()}@example.org` } }),
    );
    expectOne(responses, 422, 'reauthentication_not_valid');
  });
});
