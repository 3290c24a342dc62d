import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from './support/auth-requests.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { eachEngine, siteUrl, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';
import { SoftwareAuthenticator } from './support/software-authenticator.ts';

eachEngine('the owner receives a security notice for', { tags: ['AUTH-58'] }, (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let bearer: string;
  beforeAll(async () => {
    test = await startAuth(engine);
    auth = createAuthRequester(test);
  });
  beforeEach(async () => {
    ann = await test.createUser();
    bearer = (await test.signIn(ann)).access_token;
  });
  afterAll(() => test.close());

  /** Returns the kinds of the emails to a user, oldest first. No email contains a link or a code. */
  const notices = async (email = ann.email): Promise<string[]> => {
    const emails = await test.emailsTo(email);
    for (const { link, code } of emails) expect([link, code]).toEqual([undefined, undefined]);
    return emails.map(({ kind }) => kind);
  };

  it('second factors, added by the first verification and removed by the user', async () => {
    const factor = await addSecondFactor(auth, bearer, () => new Date());
    expect(await notices()).toEqual(['factor_added']);
    const elevated = String(factor.elevated.json['access_token']);
    await auth('POST', '/factors', { bearer: elevated, body: { factor_type: 'totp', friendly_name: 'x' } });
    await auth('DELETE', `/factors/${factor.id}`, { bearer: elevated });
    // An enrollment that was not completed is not a change.
    expect((await notices()).slice(1)).toEqual(['factor_removed']);
  });

  it('recovery codes that were used, with the number of the others', async () => {
    const { elevated } = await addSecondFactor(auth, bearer, () => new Date());
    const owner = String(elevated.json['access_token']);
    const { json } = await auth('POST', '/factors/recovery-codes', { bearer: owner, body: {} });
    const [code] = json['codes'] as string[];
    const session = (await test.signIn(ann)).access_token;
    const verify = (entered: string | undefined) =>
      auth('POST', '/factors/recovery-codes/verify', { bearer: session, body: { code: entered } });
    expect((await verify('AAAA-BBBB-CCCC')).status).toBe(422);
    expect((await verify(code)).status).toBe(200);
    expect((await verify(code)).status).toBe(422);
    expect((await notices()).slice(1)).toEqual(['recovery_code_used']);
    expect((await test.emailsTo(ann.email)).at(-1)).toMatchObject({ data: { remaining: '9' } });
  });

  it('second factors removed with the secret key', async () => {
    const { id, elevated } = await addSecondFactor(auth, bearer, () => new Date());
    const owner = String(elevated.json['access_token']);
    const path = `/admin/users/${ann.id}/factors/${id}`;
    await auth('POST', '/factors', { bearer: owner, body: { factor_type: 'webauthn', friendly_name: 'x' } });
    const before = await test.fingerprint();
    for (const [friendly_name, status] of [
      ['x', 422],
      ['\u202ex', 400],
    ] as const) {
      const body = { friendly_name };
      expect((await auth('PUT', path, { bearer: test.serviceRoleKey, body })).status).toBe(status);
    }
    expect(await test.fingerprint()).toBe(before);
    await auth('DELETE', path, { bearer: test.serviceRoleKey });
    expect((await notices()).slice(1)).toEqual(['factor_removed']);
  });

  it('a password, set for the first time or changed', async () => {
    const firstPassword = async () =>
      (await test.emailsTo(ann.email)).map(({ data }) => 'firstPassword' in data);
    await test.database.query(sql`update auth.users set encrypted_password = null where id = ${ann.id}`);
    expect((await auth('PUT', '/user', { bearer, body: { password: 'a fine password' } })).status).toBe(200);
    expect(await notices()).toEqual(['password_changed']);
    expect((await auth('PUT', '/user', { bearer, body: { password: 'another password' } })).status).toBe(200);
    expect((await notices()).slice(1)).toEqual(['password_changed']);
    expect(await firstPassword()).toEqual([true, false]);
  });

  it('passkeys', async () => {
    const { json } = await auth('POST', '/passkeys/registration/options', { bearer, body: {} });
    const key = new SoftwareAuthenticator(siteUrl);
    const credential = key.create(json['options'] as Parameters<SoftwareAuthenticator['create']>[0]);
    const registered = await auth('POST', '/passkeys/registration/verify', {
      bearer,
      body: { challenge_id: json['challenge_id'], credential },
    });
    expect(await notices()).toEqual(['passkey_added']);
    await auth('DELETE', `/passkeys/${String(registered.json['id'])}`, { bearer });
    expect((await notices()).slice(1)).toEqual(['passkey_removed']);
  });

  it('a new email address, at the old one', async () => {
    const next = `next-${ann.email}`;
    await auth('PUT', '/user', { bearer, body: { email: next } });
    for (const email of [ann.email, next]) {
      const token_hash = (await test.linksTo(email)).at(-1)?.searchParams.get('token_hash');
      await auth('POST', '/verify', { body: { type: 'email_change', token_hash } });
    }
    const sent = (await test.emails()).filter(({ kind }) => kind === 'email_changed');
    expect(sent).toMatchObject([{ to: ann.email, data: { newEmail: next } }]);
  });

  it('unlinked identities', async () => {
    await test.database.query(sql`insert into auth.identities (user_id, provider, provider_id)
      values (${ann.id}, 'keycloak', ${ann.id})`);
    const { json } = await auth('GET', '/user', { bearer });
    const identities = json['identities'] as { identity_id: string; provider: string }[];
    const linked = identities.find(({ provider }) => provider === 'keycloak')?.identity_id ?? '';
    await auth('DELETE', `/user/identities/${linked}`, { bearer });
    expect(await notices()).toEqual(['identity_unlinked']);
  });

  it('no change that was rejected', async () => {
    expect((await auth('PUT', '/user', { bearer, body: { password: 'short' } })).status).toBe(422);
    expect((await auth('DELETE', '/user/identities/x', { bearer })).status).toBe(404);
    expect(await notices()).toEqual([]);
  });
});
