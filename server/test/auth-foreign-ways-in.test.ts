import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../src/database/sql.ts';
import { authCaller, type AuthCaller } from './support/auth-caller.ts';
import { linksOf } from './support/mail-links.ts';
import { clientId, clientSecret, startIdTokenIssuer, type IdTokenIssuer } from './support/oidc-stand.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { eachEngine, siteUrl, startTestService, type TestService, type TestUser } from './support/service.ts';
import { SoftwareAuthenticator } from './support/software-authenticator.ts';

eachEngine('ways into an account that are not its mailbox', (engine) => {
  let issuer: IdTokenIssuer;
  let folder: string;
  let test: TestService;
  let auth: AuthCaller;
  let ann: TestUser;
  let bearer: string;
  beforeAll(async () => {
    issuer = await startIdTokenIssuer();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-providers-'));
    const file = path.join(folder, 'providers.json');
    const client = { client_id: clientId, client_secret: clientSecret, issuer: issuer.url };
    fs.writeFileSync(file, JSON.stringify({ apple: client }));
    test = await startTestService(engine, { settings: { OAUTH_PROVIDERS_FILE: file } });
    auth = authCaller(test);
  });
  beforeEach(async () => {
    ann = await test.createUser();
    bearer = (await test.signIn(ann)).access_token;
  });
  afterAll(async () => {
    await Promise.all([test.close(), issuer.close()]);
    fs.rmSync(folder, { recursive: true });
  });

  type Profile = { sub: string; email?: string; email_verified?: boolean };
  const byProvider = async (profile: Profile, link?: string) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer.url, aud: clientId, iat: now, exp: now + 300, ...profile };
    const body = {
      provider: 'apple',
      id_token: await issuer.sign(claims),
      link_identity: link !== undefined,
    };
    return auth('POST', '/token?grant_type=id_token', { body, ...(link ? { bearer: link } : {}) });
  };
  const addPasskey = async (key: SoftwareAuthenticator) => {
    const { json } = await auth('POST', '/passkeys/registration/options', { bearer, body: {} });
    const credential = key.create(json['options'] as Parameters<typeof key.create>[0]);
    const body = { challenge_id: json['challenge_id'], credential };
    expect((await auth('POST', '/passkeys/registration/verify', { bearer, body })).status).toBe(200);
  };
  const byPasskey = async (key: SoftwareAuthenticator) => {
    const { json } = await auth('POST', '/passkeys/authentication/options', { body: {} });
    const credential = key.get(json['options'] as Parameters<typeof key.get>[0]);
    return auth('POST', '/passkeys/authentication/verify', {
      body: { challenge_id: json['challenge_id'], credential },
    });
  };
  const invite = async (email: string): Promise<string> => {
    const { link } = await test.service.invitations.createLink({ email, fullName: 'Invited Person' });
    return new URL(link).searchParams.get('token_hash') ?? '';
  };
  const accept = async (token_hash: string): Promise<void> => {
    const { json } = await auth('POST', '/verify', { body: { type: 'invite', token_hash } });
    const session = { bearer: String(json['access_token']), body: { password: 'a fine password' } };
    expect((await auth('PUT', '/user', session)).status).toBe(200);
  };
  const rolesOf = async (userId: string): Promise<number> =>
    (await test.database.query(sql`select from public.user_roles where user_id = ${userId}`)).length;
  const waysInto = async (userId: string) => {
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
  const addEveryWay = async (key: SoftwareAuthenticator, profile: Profile): Promise<void> => {
    await addPasskey(key);
    expect((await byProvider(profile, bearer)).status).toBe(200);
    const { lifted } = await addSecondFactor(auth, bearer, () => new Date());
    const raised = String(lifted.json['access_token']);
    expect((await auth('POST', '/factors/recovery-codes', { bearer: raised, body: {} })).status).toBe(200);
    await test.database
      .query(sql`update auth.users set phone = ${randomUUID().replaceAll(/\D/g, '').slice(0, 14)},
      phone_confirmed_at = now() where id = ${ann.id}`);
    await test.database
      .query(sql`insert into auth.flow_state (authentication_method, provider, linking_target_id, expires_at)
      values ('oauth', 'apple', ${ann.id}, now() + interval '5 minutes')`);
  };

  it('R26 somebody removed and invited again has none of the ways of before', async () => {
    const key = new SoftwareAuthenticator(siteUrl);
    const profile = { sub: randomUUID(), email: ann.email, email_verified: true };
    await addEveryWay(key, profile);
    await test.database.query(sql`update auth.users set banned_until = 'infinity' where id = ${ann.id}`);
    const token = await invite(ann.email);
    expect(await waysInto(ann.id)).toEqual(none);
    expect(await byPasskey(key)).toMatchObject({
      status: 400,
      json: { code: 'webauthn_verification_failed' },
    });
    await accept(token);
    expect(await rolesOf(ann.id)).toBe(1);
  });

  it.each(['a provider', 'a passkey', 'a password'])(
    'an invitation is not accepted by a session that came of %s',
    async (way) => {
      const email = `${randomUUID()}@example.org`;
      const token = await invite(email);
      const [user] = await test.database.query<{ id: string }>(
        sql`select id from auth.users where email = ${email}`,
      );
      const session = (await byProvider({ sub: randomUUID(), email, email_verified: true })).json;
      const method = { 'a provider': 'oauth', 'a passkey': 'passkey' }[way] ?? 'password';
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
      expect(await rolesOf(user?.id ?? '')).toBe(1);
    },
  );

  describe('unlinking the e-mail identity', () => {
    const unlink = async () => {
      const { json } = await auth('GET', '/user', { bearer });
      const identities = json['identities'] as { identity_id: string; provider: string }[];
      const own = identities.find(({ provider }) => provider === 'email')?.identity_id ?? '';
      return auth('DELETE', `/user/identities/${own}`, { bearer });
    };

    it.each([['an unverified address'], ['no address']])('is refused when %s would follow', async (kind) => {
      const email = kind === 'no address' ? {} : { email: `chief-${randomUUID()}@example.org` };
      await byProvider({ sub: randomUUID(), ...email, email_verified: false }, bearer);
      const before = await test.fingerprint();
      expect(await unlink()).toMatchObject({
        status: 422,
        json: { code: 'email_conflict_identity_not_deletable' },
      });
      expect(await test.fingerprint()).toBe(before);
    });

    it('puts a verified address in its place', async () => {
      const email = `${randomUUID()}@example.org`;
      await byProvider({ sub: randomUUID(), email, email_verified: true }, bearer);
      expect(await unlink()).toMatchObject({ status: 200 });
      expect((await auth('GET', '/user', { bearer })).json).toMatchObject({
        email,
        email_confirmed_at: expect.any(String),
      });
    });
  });

  describe('an account whose address nobody has confirmed', () => {
    const key = new SoftwareAuthenticator(siteUrl);
    let profile: Profile;
    beforeEach(async () => {
      profile = { sub: randomUUID(), email: `${randomUUID()}@example.org`, email_verified: true };
      await addEveryWay(key, profile);
      await test.database.query(sql`update auth.users set email_confirmed_at = null where id = ${ann.id}`);
    });
    const shutOut = async (): Promise<void> => {
      expect(await waysInto(ann.id)).toEqual(none);
      expect((await auth('GET', '/user', { bearer })).status).toBe(403);
      expect(await byProvider(profile)).toMatchObject({ status: 422, json: { code: 'signup_disabled' } });
    };

    it('loses every way in when its address is invited', async () => {
      const token = await invite(ann.email);
      await shutOut();
      await accept(token);
      await expect(test.signIn(ann)).rejects.toThrow('invalid_credentials');
      expect(await rolesOf(ann.id)).toBe(1);
    });

    it('loses every way in when the mailbox is proved', async () => {
      await auth('POST', '/recover', { body: { email: ann.email } });
      const [link] = linksOf(await test.mails(), ann.email);
      const token_hash = link?.searchParams.get('token_hash');
      const opened = await auth('POST', '/verify', { body: { type: 'recovery', token_hash } });
      expect(opened.status).toBe(200);
      await shutOut();
      await expect(test.signIn(ann)).rejects.toThrow('invalid_credentials');
    });
  });

  it('sending an invitation again leaves the one who is accepting in peace', async () => {
    const email = `${randomUUID()}@example.org`;
    const { json } = await auth('POST', '/verify', {
      body: { type: 'invite', token_hash: await invite(email) },
    });
    await invite(email);
    const session = { bearer: String(json['access_token']), body: { password: 'a fine password' } };
    expect((await auth('PUT', '/user', session)).status).toBe(200);
  });
});
