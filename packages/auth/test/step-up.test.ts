/** Step-up: sensitive changes need a session with a recent reauthentication. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthResponse, type AuthRequester } from './support/auth-requests.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { eachEngine, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';
import { newTimeStep, setUpAuthUser } from './support/signed-in-user.ts';

/** Age after which a session is no longer fresh. */
const tenMinutes = 600_000;
const needed = { status: 400, json: { code: 'reauthentication_needed' } };

/** Every change that needs a fresh session, for a user without a factor. */
const changes: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['PUT', '/user', { password: 'a better password' }],
  ['PUT', '/user', { email: 'other@example.org' }],
  ['PUT', '/user', { phone: '+41791234567' }],
  ['GET', '/user/identities/authorize?provider=apple&skip_http_redirect=true'],
  ['DELETE', `/user/identities/${randomUUID()}`],
  ['POST', '/factors', { factor_type: 'totp' }],
  ['POST', '/passkeys/registration/options'],
  ['POST', '/passkeys/registration/verify', {}],
  ['PATCH', `/passkeys/${randomUUID()}`, { friendly_name: 'Another name' }],
  ['DELETE', `/passkeys/${randomUUID()}`],
];

eachEngine('step-up', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let bearer: string;
  const clock = setUpAuthUser(engine, (ready) => {
    ({ test, auth, ann, bearer } = ready);
  });
  const change = ([method, path, body]: (typeof changes)[number], token = bearer): Promise<AuthResponse> =>
    auth(method, path, { bearer: token, ...(body ? { body } : {}) });
  const reauthenticate = (body: object, token = bearer): Promise<AuthResponse> =>
    auth('POST', '/reauthenticate', { bearer: token, body });
  const emailedCode = async (): Promise<string> => {
    expect((await auth('GET', '/reauthenticate', { bearer })).status).toBe(200);
    return (await test.emailsTo(ann.email)).at(-1)?.code ?? '';
  };

  it('requires a session of the last ten minutes, or reauthentication, for every sensitive change', async () => {
    const rejected = async (): Promise<void> => {
      for (const planned of changes) expect(await change(planned), planned.join(' ')).toMatchObject(needed);
    };
    clock.pass(tenMinutes);
    const before = await test.fingerprint();
    await rejected();
    expect(await test.fingerprint()).toBe(before);
    expect(await reauthenticate({ current_password: ann.password })).toMatchObject({
      status: 200,
      text: '{}',
    });
    clock.pass(tenMinutes - 1000);
    for (const planned of changes) {
      expect((await change(planned)).json, planned.join(' ')).not.toMatchObject(needed.json);
    }
    clock.pass(1000);
    await rejected();
  });

  it('does not require a fresh session for other calls and an unchanged email address', async () => {
    clock.pass(tenMinutes);
    for (const [method, path, body] of [
      ['GET', '/user'],
      ['PUT', '/user', { data: { language: 'de' }, email: ann.email.toUpperCase() }],
      ['GET', '/passkeys'],
      ['GET', '/user/sessions'],
      ['GET', '/factors/recovery-codes'],
    ] as const) {
      expect((await auth(method, path, { bearer, ...(body ? { body } : {}) })).status).toBe(200);
    }
  });

  it('accepts an emailed code once', async () => {
    clock.pass(tenMinutes);
    const nonce = await emailedCode();
    expect((await reauthenticate({ nonce })).status).toBe(200);
    expect((await auth('POST', '/factors', { bearer, body: { factor_type: 'totp' } })).status).toBe(200);
    clock.pass(tenMinutes);
    expect(await reauthenticate({ nonce })).toMatchObject({
      status: 422,
      json: { code: 'reauthentication_not_valid' },
    });
    expect(await change(['POST', '/factors', { factor_type: 'totp' }])).toMatchObject(needed);
  });

  it('accepts an emailed code once, also with the change itself', async () => {
    clock.pass(tenMinutes);
    const nonce = await emailedCode();
    expect((await change(['PUT', '/user', { email: 'other@example.org', nonce }])).status).toBe(200);
    expect(await reauthenticate({ nonce })).toMatchObject({
      status: 422,
      json: { code: 'reauthentication_not_valid' },
    });
  });

  it.each([
    [{ current_password: 'not the password' }, 400, 'current_password_invalid'],
    [{ nonce: '000000' }, 422, 'reauthentication_not_valid'],
    [{ factor_id: randomUUID(), code: '000000' }, 404, 'mfa_factor_not_found'],
    [{}, 400, 'validation_failed'],
  ])('rejects %o as reauthentication', async (body, status, code) => {
    clock.pass(tenMinutes);
    const before = await test.fingerprint();
    expect(await reauthenticate(body)).toMatchObject({ status, json: { code } });
    expect(await test.fingerprint()).toBe(before);
    expect(await change(['POST', '/passkeys/registration/options'])).toMatchObject(needed);
  });

  it('completes an enrollment in a fresh session only, even if it was started in time', async () => {
    const { json } = await auth('POST', '/factors', { bearer, body: { factor_type: 'totp' } });
    clock.pass(tenMinutes - 400_000);
    const path = `/factors/${String(json['id']).toUpperCase()}/verify`;
    const body = { challenge_id: randomUUID(), code: '000000' };
    expect((await auth('POST', path, { bearer, body })).status).toBe(422);
    clock.pass(400_000);
    expect(await auth('POST', path, { bearer, body })).toMatchObject(needed);
  });

  describe('with a verified factor', () => {
    const withFactor = async () => {
      const factor = await addSecondFactor(auth, bearer, clock.now);
      return { factor, raised: String(factor.elevated.json['access_token']) };
    };
    const factorChanges = (id: string): typeof changes => [
      ...changes,
      ['DELETE', `/factors/${id}`],
      ['POST', '/factors/recovery-codes'],
      ['POST', '/factors/recovery-codes/regenerate'],
      ['DELETE', '/factors/recovery-codes'],
    ];

    it('accepts only the factor as reauthentication', async () => {
      const { factor, raised: token } = await withFactor();
      expect((await auth('POST', '/factors/recovery-codes', { bearer: token })).status).toBe(200);
      clock.pass(tenMinutes);
      const before = await test.fingerprint();
      for (const planned of factorChanges(factor.id)) {
        expect(await change(planned, token), planned.join(' ')).toMatchObject(needed);
      }
      const current = { current_password: ann.password };
      expect(await reauthenticate(current, token)).toMatchObject(needed);
      const password = { password: 'a better password', ...current };
      expect(await change(['PUT', '/user', password], token)).toMatchObject(needed);
      expect(await test.fingerprint()).toBe(before);

      const proof = {
        factor_id: factor.id,
        challenge_id: await factor.challenge(token),
        code: factor.code(),
      };
      expect((await reauthenticate({ ...proof, code: '000000' }, token)).status).toBe(422);
      expect((await reauthenticate(proof, token)).status).toBe(200);
      expect((await change(['PUT', '/user', { password: 'a better password' }], token)).status).toBe(200);
      expect((await reauthenticate(proof, token)).status).toBe(422);
    });

    it('rejects all changes in an aal1 session of any age', async () => {
      const { factor } = await withFactor();
      const { access_token: newToken } = await test.signIn(ann);
      const before = await test.fingerprint();
      for (const planned of factorChanges(factor.id)) {
        const { status, json } = await change(planned, newToken);
        expect([401, 403, 422], planned.join(' ')).toContain(status);
        expect(json).toMatchObject({ code: 'insufficient_aal' });
      }
      expect(await reauthenticate({ current_password: ann.password }, newToken)).toMatchObject(needed);
      expect(await test.fingerprint()).toBe(before);
    });

    it('elevates the session and makes it fresh after verification', async () => {
      const { factor } = await withFactor();
      clock.pass(tenMinutes + newTimeStep);
      const { access_token: newToken } = await test.signIn(ann);
      clock.pass(tenMinutes);
      const token = String((await factor.verifyCode(newToken)).json['access_token']);
      expect((await auth('DELETE', `/factors/${factor.id}`, { bearer: token })).status).toBe(200);
    });

    it('treats an earlier refresh token as stolen, also within the reuse interval and after refreshes', async () => {
      const refresh = (token: unknown) =>
        auth('POST', '/token?grant_type=refresh_token', { body: { refresh_token: token } });
      for (const refreshes of [0, 1, 2]) {
        clock.pass(newTimeStep);
        const user = await test.createUser();
        const first = await test.signIn(user);
        const { json: renewed } = await refresh(first.refresh_token);
        const { elevated } = await addSecondFactor(auth, String(renewed['access_token']), clock.now);
        let current = elevated.json;
        for (let count = 0; count < refreshes; count += 1)
          current = (await refresh(current['refresh_token'])).json;
        // The parent of the first elevated token. Its holder may know only the password.
        expect(await refresh(renewed['refresh_token'])).toMatchObject({
          status: 400,
          json: { code: 'refresh_token_already_used' },
        });
        expect((await refresh(current['refresh_token'])).json).toMatchObject({ code: 'session_not_found' });
        const sessions = sql`select from auth.sessions where user_id = ${user.id}`;
        expect(await test.database.query(sessions)).toEqual([]);
      }
    });
  });

  describe('a session from a recovery link', () => {
    const recovered = async (): Promise<{ access: string; refresh: string }> => {
      await auth('POST', '/recover', { body: { email: ann.email } });
      const token_hash = (await test.linksTo(ann.email)).at(-1)?.searchParams.get('token_hash');
      const { json } = await auth('POST', '/verify', { body: { type: 'recovery', token_hash } });
      return { access: String(json['access_token']), refresh: String(json['refresh_token']) };
    };
    const setPassword = (token: string, password: string) =>
      auth('PUT', '/user', { bearer: token, body: { password } });

    it('is fresh for an hour, until the password is set', async () => {
      const { access } = await recovered();
      clock.pass(3_599_000);
      expect((await setPassword(access, 'a better password')).status).toBe(200);
      expect(await setPassword(access, 'another password')).toMatchObject(needed);
    });

    it('is not fresh for any other change before the password is set', async () => {
      const { access } = await recovered();
      const before = await test.fingerprint();
      expect(await auth('POST', '/factors', { bearer: access, body: { factor_type: 'totp' } })).toMatchObject(
        {
          status: 403,
          json: { code: 'password_not_set' },
        },
      );
      const email = 'elsewhere@example.org';
      expect(await auth('PUT', '/user', { bearer: access, body: { email } })).toMatchObject({ status: 403 });
      expect(await test.fingerprint()).toBe(before);
    });

    it('rejects a password if the link was opened too long ago', async () => {
      const { refresh } = await recovered();
      clock.pass(3_600_000);
      const body = { refresh_token: refresh };
      const { json } = await auth('POST', '/token?grant_type=refresh_token', { body });
      const before = await test.fingerprint();
      expect(await setPassword(String(json['access_token']), 'a better password')).toMatchObject({
        status: 400,
        json: {
          ...needed.json,
          message:
            'You opened this link more than an hour ago. Open it again. If it no longer works, request a new one.',
        },
      });
      expect(await test.fingerprint()).toBe(before);
    });
  });
});

describe('step-up', () => {
  it('counts failed reauthentication per session, separately from sign-in attempts of other clients', async () => {
    const test = await startAuth('embedded', { settings: { RATE_LIMITS: true } });
    const auth = createAuthRequester(test);
    const ann = await test.createUser();
    const { access_token: bearer } = await test.signIn(ann);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const body = count % 2 ? { nonce: '000000' } : { current_password: 'not the password' };
      statuses.push((await auth('POST', '/reauthenticate', { bearer, body })).status);
    }
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses[10]).toBe(429);
    const signIn = { email: ann.email, password: ann.password };
    expect((await auth('POST', '/token?grant_type=password', { body: signIn })).status).toBe(200);
    await test.close();
  });

  it.each([
    ['the compatibility profile', { PROFILE: 'compat' }],
    ['anonymous users', { SIGNUP: true, ANONYMOUS: true }],
  ] as const)('does not apply to %s', async (_name, settings) => {
    let ahead = 0;
    const test = await startAuth('embedded', { now: () => new Date(Date.now() + ahead), settings });
    const auth = createAuthRequester(test);
    const session =
      'ANONYMOUS' in settings
        ? (await auth('POST', '/signup', { body: {} })).json
        : await test.signIn(await test.createUser());
    ahead = tenMinutes;
    const body = { email: `${randomUUID()}@example.org`, password: 'a better password' };
    expect(await auth('PUT', '/user', { bearer: String(session['access_token']), body })).toMatchObject({
      status: 200,
    });
    await test.close();
  });
});
