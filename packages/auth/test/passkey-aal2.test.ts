/** Passkeys with user verification: the assurance level of their sessions, and what ends it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthService } from '../src/auth-service.ts';
import {
  createAuthRequester,
  createDirectRequester,
  decodeClaims,
  type AuthRequester,
} from './support/auth-requests.ts';
import { registerPasskey, signInWithPasskey } from './support/passkeys.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { eachEngine, siteUrl, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';
import { setUpAuthUser } from './support/signed-in-user.ts';
import { SoftwareAuthenticator } from './support/software-authenticator.ts';

eachEngine('a passkey with user verification', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let bearer: string;
  let key: SoftwareAuthenticator;
  const clock = setUpAuthUser(engine, (ready) => {
    ({ test, auth, ann, bearer } = ready);
    key = new SoftwareAuthenticator(siteUrl);
  });

  /** Returns the ID of the new passkey. */
  const register = async (token = bearer, with_ = key): Promise<string> => {
    const { status, json } = await registerPasskey(auth, token, with_);
    expect(status).toBe(200);
    return String(json['id']);
  };
  /** Returns the access token of the new session. */
  const signIn = async (with_ = key): Promise<string> => {
    const { status, json } = await signInWithPasskey(auth, with_);
    expect(status).toBe(200);
    return String(json['access_token']);
  };
  const levelOf = (token: string): unknown => decodeClaims({ access_token: token })['aal'];
  const readSession = async (token: string): Promise<object | undefined> =>
    (
      await test.database.query(sql`select aal::text, passkey_id, passkey_aal2, factor_id from auth.sessions
        where id = ${String(decodeClaims({ access_token: token })['session_id'])}`)
    )[0];
  const list = async (token: string): Promise<unknown> =>
    (await auth('GET', '/passkeys', { bearer: token })).json;
  const lowered = { aal: 'aal1', passkey_id: null, passkey_aal2: false, factor_id: null };

  it('signs in at AAL2 with a fresh session', { tags: ['AUTH-61'] }, async () => {
    const id = await register();
    expect(await list(bearer)).toMatchObject([{ id, aal: 'aal2' }]);
    const { json } = await signInWithPasskey(auth, key);
    expect(decodeClaims(json)).toMatchObject({ aal: 'aal2', amr: [{ method: 'passkey' }] });
    const token = String(json['access_token']);
    expect(await readSession(token)).toEqual({
      aal: 'aal2',
      passkey_id: id,
      passkey_aal2: true,
      factor_id: null,
    });
    const sessions = (await auth('GET', '/user/sessions', { bearer: token })).json as unknown as object[];
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual(expect.objectContaining({ aal: 'aal2', current: true }));
    const refreshed = await auth('POST', '/token?grant_type=refresh_token', {
      body: { refresh_token: json['refresh_token'] },
    });
    expect(decodeClaims(refreshed.json)).toMatchObject({ aal: 'aal2' });
    // Ten minutes later it is no longer fresh, and the password makes it so again.
    clock.pass(601_000);
    expect(await auth('DELETE', `/passkeys/${id}`, { bearer: token })).toMatchObject({
      status: 400,
      json: { code: 'reauthentication_needed' },
    });
    const body = { current_password: ann.password };
    expect((await auth('POST', '/reauthenticate', { bearer: token, body })).status).toBe(200);
    expect((await auth('DELETE', `/passkeys/${id}`, { bearer: token })).status).toBe(204);
  });

  it(
    'is necessary: without it the session has AAL1, and each sign-in decides',
    { tags: ['AUTH-61'] },
    async () => {
      key.verifiesUser = false;
      const id = await register();
      expect(await list(bearer)).toMatchObject([{ id, aal: 'aal1' }]);
      const token = await signIn();
      expect(levelOf(token)).toBe('aal1');
      expect(await readSession(token)).toEqual({ ...lowered, passkey_id: id });
      key.verifiesUser = true;
      expect(levelOf(await signIn())).toBe('aal2');
      // From now on, the user is known to be able to.
      expect(await list(bearer)).toMatchObject([{ id, aal: 'aal2' }]);
      key.verifiesUser = false;
      expect(levelOf(await signIn())).toBe('aal1');
    },
  );

  it('replaces the code of a user with a second factor, who can then change both', async () => {
    const { elevated, id: factorId } = await addSecondFactor(auth, bearer, clock.now);
    await register(String(elevated.json['access_token']));
    key.verifiesUser = false;
    const low = await signIn();
    expect(await auth('GET', '/user/sessions', { bearer: low })).toMatchObject({
      status: 403,
      json: { code: 'insufficient_aal' },
    });
    key.verifiesUser = true;
    const token = await signIn();
    expect((await auth('GET', '/user/sessions', { bearer: token })).status).toBe(200);
    await register(token, new SoftwareAuthenticator(siteUrl));
    expect((await auth('DELETE', `/factors/${factorId}`, { bearer: token })).status).toBe(200);
    // The removed factor did not elevate the session, so it stays at AAL2.
    expect(await readSession(token)).toMatchObject({ aal: 'aal2', passkey_aal2: true });
  });

  describe('that is removed', () => {
    it(
      'revokes the other sessions of the passkey, and lowers the one that removes it',
      { tags: ['AUTH-61'] },
      async () => {
        const id = await register();
        const other = new SoftwareAuthenticator(siteUrl);
        await register(bearer, other);
        const [own, same, unrelated] = [await signIn(), await signIn(), await signIn(other)];
        expect((await auth('DELETE', `/passkeys/${id.toUpperCase()}`, { bearer: own })).status).toBe(204);
        expect(await readSession(same)).toBeUndefined();
        expect(await auth('GET', '/user', { bearer: same })).toMatchObject({
          status: 403,
          json: { code: 'session_not_found' },
        });
        expect(await readSession(own)).toEqual(lowered);
        expect((await auth('GET', '/user/sessions', { bearer: own })).status).toBe(200);
        expect(await readSession(unrelated)).toMatchObject({ aal: 'aal2' });
        expect(await readSession(bearer)).toMatchObject({ aal: 'aal1' });
      },
    );

    it(
      'leaves AAL2 to a session that a second factor elevated, too, until that is removed',
      { tags: ['AUTH-61'] },
      async () => {
        const id = await register();
        const token = await signIn();
        const factor = await addSecondFactor(auth, token, clock.now);
        const elevated = String(factor.elevated.json['access_token']);
        expect(await readSession(elevated)).toEqual({
          aal: 'aal2',
          passkey_id: id,
          passkey_aal2: true,
          factor_id: factor.id,
        });
        expect((await auth('DELETE', `/passkeys/${id}`, { bearer: elevated })).status).toBe(204);
        expect(await readSession(elevated)).toEqual({ ...lowered, aal: 'aal2', factor_id: factor.id });
        expect((await auth('DELETE', `/factors/${factor.id}`, { bearer: elevated })).status).toBe(200);
        expect(await readSession(elevated)).toEqual(lowered);
      },
    );

    it('leaves AAL2 to a session that a recovery code elevated, too', async () => {
      const { elevated } = await addSecondFactor(auth, bearer, clock.now);
      const first = String(elevated.json['access_token']);
      const codes = (await auth('POST', '/factors/recovery-codes', { bearer: first, body: {} })).json[
        'codes'
      ];
      const id = await register(first);
      const token = await signIn();
      const [code] = codes as string[];
      const used = await auth('POST', '/factors/recovery-codes/verify', { bearer: token, body: { code } });
      const both = String(used.json['access_token']);
      expect((await auth('DELETE', `/passkeys/${id}`, { bearer: both })).status).toBe(204);
      expect(await readSession(both)).toEqual({ ...lowered, aal: 'aal2' });
    });

    it('asks a user with a second factor for it next', async () => {
      const { elevated } = await addSecondFactor(auth, bearer, clock.now);
      const id = await register(String(elevated.json['access_token']));
      const token = await signIn();
      expect((await auth('DELETE', `/passkeys/${id}`, { bearer: token })).status).toBe(204);
      expect(await auth('GET', '/user/sessions', { bearer: token })).toMatchObject({
        status: 403,
        json: { code: 'insufficient_aal' },
      });
    });

    it('by the secret key revokes all its sessions', { tags: ['AUTH-61'] }, async () => {
      const id = await register();
      const token = await signIn();
      const path = `/admin/users/${ann.id}/passkeys/${id}`;
      expect((await auth('DELETE', path, { bearer: test.serviceRoleKey })).status).toBe(204);
      expect(await readSession(token)).toBeUndefined();
      expect(await readSession(bearer)).toMatchObject({ aal: 'aal1' });
    });

    it('in any other way revokes all its sessions', async () => {
      const id = await register();
      const token = await signIn();
      await test.database.query(sql`delete from auth.webauthn_credentials where id = ${id}`);
      expect(await readSession(token)).toBeUndefined();
      expect(await readSession(bearer)).toMatchObject({ aal: 'aal1' });
    });

    it('concurrently with sign-ins leaves no session', { tags: ['AUTH-61'] }, async () => {
      const id = await register();
      const responses = await Promise.all([
        ...Array.from({ length: 5 }, () => signInWithPasskey(auth, key)),
        auth('DELETE', `/passkeys/${id}`, { bearer }),
        auth('DELETE', `/admin/users/${ann.id}/passkeys/${id}`, { bearer: test.serviceRoleKey }),
      ]);
      for (const { status } of responses) expect([200, 204, 400, 404]).toContain(status);
      const left = sql`select id from auth.sessions where user_id = ${ann.id} and aal = 'aal2'`;
      expect(await test.database.query(left)).toEqual([]);
    });
  });

  it(
    'has AAL1 while the setting is off, also in sessions from before at their next refresh',
    { tags: ['AUTH-61'] },
    async () => {
      await register();
      const before = (await signInWithPasskey(auth, key)).json;
      const config = { ...test.options.config, PASSKEY_AAL2: false };
      const off = createDirectRequester(createAuthService({ ...test.options, config }), test.anonKey);
      expect((await off('GET', '/passkeys', { bearer })).json).toMatchObject([{ aal: 'aal1' }]);
      expect(levelOf(String((await signInWithPasskey(off, key)).json['access_token']))).toBe('aal1');
      const refreshed = await off('POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: before['refresh_token'] },
      });
      expect(decodeClaims(refreshed.json)).toMatchObject({ aal: 'aal1', amr: [{ method: 'passkey' }] });
      expect(await readSession(String(before['access_token']))).toMatchObject({
        aal: 'aal1',
        passkey_aal2: false,
      });
      // It stays a session of the passkey.
      const [{ id } = {}] = (await off('GET', '/passkeys', { bearer })).json as unknown as { id?: string }[];
      expect((await off('DELETE', `/passkeys/${id ?? ''}`, { bearer })).status).toBe(204);
      expect(await readSession(String(before['access_token']))).toBeUndefined();
    },
  );

  it('does not replace a second factor with the settings of Supabase Auth', async () => {
    const compat = await startAuth(engine, {
      now: clock.now,
      settings: { PROFILE: 'compat', PASSKEY_AAL2: false },
    });
    onTestFinished(() => compat.close());
    const call = createAuthRequester(compat);
    const { access_token } = await compat.signIn(await compat.createUser());
    await registerPasskey(call, access_token, key);
    expect(decodeClaims((await signInWithPasskey(call, key)).json)).toMatchObject({ aal: 'aal1' });
  });
});
