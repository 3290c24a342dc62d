import { randomUUID } from 'node:crypto';
import { signInMethodsSchema, type SignInMethod } from '@lanternrock/contract/sign-in-methods';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { linksIn, emailsTo } from './support/email-links.ts';
import { startIdTokenIssuer, type IdTokenIssuer } from '@lanternrock/auth/test-support/oidc-providers';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import {
  eachEngine,
  siteUrl,
  startTestService,
  type TestService,
  type TestUser,
} from './support/test-service.ts';
import { SoftwareAuthenticator } from '@lanternrock/auth/test-support/software-authenticator';
import { asService } from '../src/administrators/email-action.ts';

eachEngine('sign-in methods that an attacker may have added', (engine) => {
  let issuer: IdTokenIssuer;
  let test: TestService;
  let auth: AuthRequester;
  let ann: TestUser;
  let bearer: string;
  beforeAll(async () => {
    issuer = await startIdTokenIssuer();
    test = await startTestService(engine, { settings: { OAUTH_PROVIDERS_FILE: issuer.file } });
    auth = createAuthRequester(test);
  });
  beforeEach(async () => {
    ann = await test.createUser();
    bearer = (await test.signIn(ann)).access_token;
  });
  afterAll(async () => {
    await Promise.all([test.close(), issuer.close()]);
  });

  type Profile = { sub: string; email?: string; email_verified?: boolean };
  const signInWithProvider = async (profile: Profile, link?: string) => {
    const body = {
      provider: 'apple',
      id_token: await issuer.sign(profile),
      link_identity: link !== undefined,
    };
    return auth('POST', '/token?grant_type=id_token', { body, ...(link ? { bearer: link } : {}) });
  };
  const addPasskey = async (key: SoftwareAuthenticator, friendly_name?: string): Promise<string> => {
    const { json } = await auth('POST', '/passkeys/registration/options', { bearer, body: {} });
    const credential = key.create(json['options'] as Parameters<typeof key.create>[0]);
    const body = { challenge_id: json['challenge_id'], credential, friendly_name };
    const added = await auth('POST', '/passkeys/registration/verify', { bearer, body });
    expect(added.status).toBe(200);
    return String(added.json['id']);
  };
  const signInWithPasskey = async (key: SoftwareAuthenticator) => {
    const { json } = await auth('POST', '/passkeys/authentication/options', { body: {} });
    const credential = key.get(json['options'] as Parameters<typeof key.get>[0]);
    return auth('POST', '/passkeys/authentication/verify', {
      body: { challenge_id: json['challenge_id'], credential },
    });
  };
  const invite = async (email: string): Promise<string> => {
    const { link } = await test.service.invitations.createLink({
      authorize: asService,
      email,
      fullName: 'Invited Person',
    });
    return new URL(link).searchParams.get('token_hash') ?? '';
  };
  const accept = async (token_hash: string): Promise<void> => {
    const { json } = await auth('POST', '/verify', { body: { type: 'invite', token_hash } });
    const session = { bearer: String(json['access_token']), body: { password: 'a fine password' } };
    expect((await auth('PUT', '/user', session)).status).toBe(200);
  };
  const countRoles = async (userId: string): Promise<number> =>
    (await test.database.query(sql`select from public.user_roles where user_id = ${userId}`)).length;
  const countMethods = async (userId: string) => {
    const [row] = await test.database.query(sql`select u.phone,
        (select count(*)::int from auth.identities where user_id = u.id and provider <> 'email') as identities,
        (select count(*)::int from auth.webauthn_credentials where user_id = u.id) as passkeys,
        (select count(*)::int from auth.mfa_factors where user_id = u.id) as factors,
        (select count(*)::int from auth.recovery_code_sets where user_id = u.id) as codes,
        (select count(*)::int from auth.flow_state where linking_target_id = u.id) as flows
      from auth.users u where u.id = ${userId}`);
    return row;
  };
  const none = { phone: null, identities: 0, passkeys: 0, factors: 0, codes: 0, flows: 0 };
  const addEveryMethod = async (key: SoftwareAuthenticator, profile: Profile): Promise<void> => {
    await addPasskey(key);
    expect((await signInWithProvider(profile, bearer)).status).toBe(200);
    const { elevated } = await addSecondFactor(auth, bearer, () => new Date());
    const token = String(elevated.json['access_token']);
    expect((await auth('POST', '/factors/recovery-codes', { bearer: token, body: {} })).status).toBe(200);
    await test.database
      .query(sql`update auth.users set phone = ${randomUUID().replaceAll(/\D/g, '').slice(0, 14)},
      phone_confirmed_at = now() where id = ${ann.id}`);
    await test.database
      .query(sql`insert into auth.flow_state (authentication_method, provider, linking_target_id, expires_at)
      values ('oauth', 'apple', ${ann.id}, now() + interval '5 minutes')`);
  };

  it('are deleted when a removed user is invited again', async () => {
    const key = new SoftwareAuthenticator(siteUrl);
    const profile = { sub: randomUUID(), email: ann.email, email_verified: true };
    await addEveryMethod(key, profile);
    await test.database.query(sql`update auth.users set banned_until = 'infinity' where id = ${ann.id}`);
    const token = await invite(ann.email);
    expect(await countMethods(ann.id)).toEqual(none);
    expect(await signInWithPasskey(key)).toMatchObject({
      status: 400,
      json: { code: 'webauthn_verification_failed' },
    });
    await accept(token);
    expect(await countRoles(ann.id)).toBe(1);
  });

  it.each(['a provider', 'a passkey', 'a password'])(
    'an invitation is not accepted by a session from %s',
    async (label) => {
      const email = `${randomUUID()}@example.org`;
      const token = await invite(email);
      const [user] = await test.database.query<{ id: string }>(
        sql`select id from auth.users where email = ${email}`,
      );
      const session = (await signInWithProvider({ sub: randomUUID(), email, email_verified: true })).json;
      const method = { 'a provider': 'oauth', 'a passkey': 'passkey' }[label] ?? 'password';
      await test.database.query(sql`update auth.mfa_amr_claims set authentication_method = ${method}
        where session_id in (select id from auth.sessions where user_id = ${user?.id})`);
      const before = await test.fingerprint();
      const body = { password: 'a fine password' };
      expect(await auth('PUT', '/user', { bearer: String(session['access_token']), body })).toMatchObject({
        status: 403,
        json: { code: 'no_authorization' },
      });
      expect(await test.fingerprint()).toBe(before);
      await accept(token);
      expect(await countRoles(user?.id ?? '')).toBe(1);
    },
  );

  describe('unlinking the email identity', () => {
    const unlink = async () => {
      const { json } = await auth('GET', '/user', { bearer });
      const identities = json['identities'] as { identity_id: string; provider: string }[];
      const emailIdentityId = identities.find(({ provider }) => provider === 'email')?.identity_id ?? '';
      return auth('DELETE', `/user/identities/${emailIdentityId}`, { bearer });
    };

    it.each([['an unverified address'], ['no address']])('is rejected if %s remains', async (kind) => {
      const email = kind === 'no address' ? {} : { email: `administrator-${randomUUID()}@example.org` };
      await signInWithProvider({ sub: randomUUID(), ...email, email_verified: false }, bearer);
      const before = await test.fingerprint();
      expect(await unlink()).toMatchObject({
        status: 422,
        json: { code: 'email_conflict_identity_not_deletable' },
      });
      expect(await test.fingerprint()).toBe(before);
    });

    it('replaces the email address with a verified one', async () => {
      const email = `${randomUUID()}@example.org`;
      await signInWithProvider({ sub: randomUUID(), email, email_verified: true }, bearer);
      expect(await unlink()).toMatchObject({ status: 200 });
      expect((await auth('GET', '/user', { bearer })).json).toMatchObject({
        email,
        email_confirmed_at: expect.any(String),
      });
    });
  });

  describe('an account with an unconfirmed email address', () => {
    const key = new SoftwareAuthenticator(siteUrl);
    let profile: Profile;
    beforeEach(async () => {
      profile = { sub: randomUUID(), email: `${randomUUID()}@example.org`, email_verified: true };
      await addEveryMethod(key, profile);
      await test.database.query(sql`update auth.users set email_confirmed_at = null where id = ${ann.id}`);
    });
    const expectLockedOut = async (): Promise<void> => {
      expect(await countMethods(ann.id)).toEqual(none);
      expect((await auth('GET', '/user', { bearer })).status).toBe(403);
      expect(await signInWithProvider(profile)).toMatchObject({
        status: 422,
        json: { code: 'signup_disabled' },
      });
    };

    it('loses all of them when its email address is invited', async () => {
      const token = await invite(ann.email);
      await expectLockedOut();
      await accept(token);
      await expect(test.signIn(ann)).rejects.toThrow('invalid_credentials');
      expect(await countRoles(ann.id)).toBe(1);
    });

    it('loses all of them when the mailbox is verified', async () => {
      await auth('POST', '/recover', { body: { email: ann.email } });
      const [link] = linksIn(await test.emails(), ann.email);
      const token_hash = link?.searchParams.get('token_hash');
      const opened = await auth('POST', '/verify', { body: { type: 'recovery', token_hash } });
      expect(opened.status).toBe(200);
      await expectLockedOut();
      await expect(test.signIn(ann)).rejects.toThrow('invalid_credentials');
    });
  });

  describe.each(['recovery', 'invite'] as const)('a confirmed user after a link of type %s', (type) => {
    const password = 'a better password';
    let key: SoftwareAuthenticator;
    let profile: Profile;
    let phone: string;
    let passkeyId: string;
    let link: string;
    const body = (keep?: unknown): object => ({ password, keep_sign_in_methods: keep });
    const setPassword = (keep?: unknown, token = link) =>
      auth('PUT', '/user', { bearer: token, body: body(keep) });
    const list = async (token = link): Promise<SignInMethod[]> =>
      signInMethodsSchema.parse(
        JSON.parse((await auth('GET', '/user/sign-in-methods', { bearer: token })).text),
      );
    const openLink = async (): Promise<string> => {
      const email = async () => {
        await auth('POST', '/recover', { body: { email: ann.email } });
        const sent = linksIn(await test.emails(), ann.email).findLast(
          ({ searchParams }) => searchParams.get('type') === 'recovery',
        );
        return sent?.searchParams.get('token_hash');
      };
      const token_hash = type === 'invite' ? await invite(ann.email) : await email();
      const { json } = await auth('POST', '/verify', { body: { type, token_hash } });
      return String(json['access_token']);
    };

    const notice = async (): Promise<string> => {
      const email = (await emailsTo(test, ann.email)).findLast(
        ({ subject }) => subject === 'Your Lanternrock password was changed',
      );
      return (email?.text ?? '').replaceAll('\u2060', '').replaceAll(/\s+/g, ' ');
    };

    beforeEach(async () => {
      key = new SoftwareAuthenticator(siteUrl);
      profile = { sub: randomUUID(), email: `${randomUUID()}@evil.example`, email_verified: true };
      phone = `41${String(Math.random()).slice(2, 12)}`;
      passkeyId = await addPasskey(key, 'Work laptop');
      await signInWithProvider(profile, bearer);
      await test.database.query(
        sql`update auth.users set phone = ${phone}, phone_confirmed_at = now() where id = ${ann.id}`,
      );
      // Started, but not completed.
      await auth('POST', '/passkeys/registration/options', { bearer, body: {} });
      await auth('POST', '/factors', { bearer, body: { factor_type: 'totp' } });
      await auth('PUT', '/user', { bearer, body: { email: `new-${profile.email ?? ''}` } });
      await test.database
        .query(sql`insert into auth.flow_state (authentication_method, provider, linking_target_id, expires_at)
        values ('oauth', 'apple', ${ann.id}, now() + interval '5 minutes')`);
      link = await openLink();
    });

    it('loses all of them with the new password, and every other session', async () => {
      expect(await list()).toMatchObject([
        { kind: 'passkey', id: passkeyId, name: 'Work laptop', last_used_at: null },
        { kind: 'identity', name: `apple: ${profile.email ?? ''}` },
        { kind: 'phone', id: phone, name: `+${phone}`, last_used_at: null },
      ]);
      expect((await setPassword()).status).toBe(200);
      expect(await countMethods(ann.id)).toEqual(none);
      const [rest] = await test.database
        .query(sql`select u.email_change, u.raw_app_meta_data -> 'providers' as providers,
          (select count(*)::int from auth.webauthn_challenges where user_id = u.id) as challenges,
          (select count(*)::int from auth.one_time_tokens where user_id = u.id) as tokens,
          (select count(*)::int from auth.sessions where user_id = u.id) as sessions
        from auth.users u where u.id = ${ann.id}`);
      expect(rest).toEqual({
        email_change: null,
        providers: ['email'],
        challenges: 0,
        tokens: 0,
        sessions: 1,
      });
      expect((await signInWithPasskey(key)).status).toBe(400);
      expect((await signInWithProvider(profile)).json).toMatchObject({ code: 'signup_disabled' });
      expect((await auth('GET', '/user', { bearer })).status).toBe(403);
      expect(await countRoles(ann.id)).toBe(type === 'invite' ? 1 : 0);
      await test.signIn({ ...ann, password });
      expect(await list()).toEqual([]);
      expect(await notice()).toContain(
        `Also removed: the passkey (Work laptop), the sign-in with apple: ${profile.email ?? ''}, the phone number +${phone}.`,
      );
    });

    it('keeps the ones that the request names', async () => {
      expect((await setPassword([passkeyId])).status).toBe(200);
      expect(await countMethods(ann.id)).toEqual({ ...none, passkeys: 1 });
      // The session is now an ordinary one.
      expect(await list()).toEqual([]);
      expect((await signInWithPasskey(key)).status).toBe(200);
      expect((await signInWithProvider(profile)).json).toMatchObject({ code: 'signup_disabled' });
    });

    it('keeps all that the request names, and the notice lists none', async () => {
      const identity = (await list()).find(({ kind }) => kind === 'identity')?.id;
      expect((await setPassword([phone, passkeyId, identity])).status).toBe(200);
      expect(await countMethods(ann.id)).toEqual({ ...none, phone, identities: 1, passkeys: 1 });
      expect((await signInWithProvider(profile)).json).toMatchObject({
        user: { phone, app_metadata: { providers: ['email', 'apple'] } },
      });
      expect(await notice()).toContain('was changed.');
      expect(await notice()).not.toContain('Removed');
    });

    it('is rejected with an unknown method ID, and nothing changes', async () => {
      const [identity] = await test.database.query<{ id: string }>(
        sql`select id from auth.identities where user_id = ${ann.id} and provider = 'email'`,
      );
      const before = await test.fingerprint();
      for (const keep of [
        [randomUUID()],
        [passkeyId, 'x'],
        [identity?.id],
        [ann.id],
        ['41790000000'],
        [7],
        passkeyId,
        { passkeyId },
      ]) {
        expect(await setPassword(keep)).toMatchObject({ status: 400, json: { code: 'validation_failed' } });
      }
      const withoutPassword = { keep_sign_in_methods: [passkeyId], data: { language: 'de' } };
      expect(await auth('PUT', '/user', { bearer: link, body: withoutPassword })).toMatchObject({
        status: 400,
        json: { code: 'validation_failed' },
      });
      expect(await test.fingerprint()).toBe(before);
      expect((await setPassword([passkeyId, passkeyId])).status).toBe(200);
    });

    it.each(['factor', 'recovery code'])('must first verify its %s, which is kept', async (credential) => {
      // Added before the link, as by the account owner. The session of the link is at aal1.
      const factor = await addSecondFactor(auth, bearer, () => new Date());
      const token = String(factor.elevated.json['access_token']);
      const { json } = await auth('POST', '/factors/recovery-codes', { bearer: token, body: {} });
      await auth('POST', '/factors', { bearer: token, body: { factor_type: 'totp', friendly_name: 'x' } });
      await test.database.query(
        sql`update auth.mfa_factors set last_used_step = null where id = ${factor.id}`,
      );
      link = await openLink();
      const before = await test.fingerprint();
      const rejected = { status: 401, json: { code: 'insufficient_aal' } };
      expect(await auth('GET', '/user/sign-in-methods', { bearer: link })).toMatchObject(rejected);
      expect(await setPassword([passkeyId])).toMatchObject(rejected);
      expect(await test.fingerprint()).toBe(before);
      const [code] = json['codes'] as string[];
      const elevatedSession =
        credential === 'factor'
          ? await factor.verifyCode(link)
          : await auth('POST', '/factors/recovery-codes/verify', { bearer: link, body: { code } });
      const elevated = String(elevatedSession.json['access_token']);
      expect(await list(elevated)).toHaveLength(3);
      expect((await setPassword([], elevated)).status).toBe(200);
      expect(await countMethods(ann.id)).toEqual({ ...none, factors: 1, codes: 1 });
      const [remaining] = (await auth('GET', '/user', { bearer: elevated })).json['factors'] as object[];
      expect(remaining).toMatchObject({ id: factor.id, status: 'verified' });
    });
  });

  it('a session without a link cannot choose, and its password change removes nothing', async () => {
    const passkeyId = await addPasskey(new SoftwareAuthenticator(siteUrl));
    const before = await test.fingerprint();
    const password = 'a better password';
    for (const keep of [[passkeyId], []]) {
      const body = { password, keep_sign_in_methods: keep };
      expect(await auth('PUT', '/user', { bearer, body })).toMatchObject({
        status: 400,
        json: { code: 'validation_failed' },
      });
    }
    expect(await test.fingerprint()).toBe(before);
    expect((await auth('PUT', '/user', { bearer, body: { password } })).status).toBe(200);
    expect(await countMethods(ann.id)).toEqual({ ...none, passkeys: 1 });
    expect((await auth('GET', '/user/sign-in-methods', { bearer })).json).toEqual([]);
  });

  it('resending an invitation does not affect a user who is accepting it', async () => {
    const email = `${randomUUID()}@example.org`;
    const { json } = await auth('POST', '/verify', {
      body: { type: 'invite', token_hash: await invite(email) },
    });
    await invite(email);
    const session = { bearer: String(json['access_token']), body: { password: 'a fine password' } };
    expect((await auth('PUT', '/user', session)).status).toBe(200);
  });
});
