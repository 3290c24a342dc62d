import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from './support/auth-requests.ts';
import { linksIn } from '../../../apps/server/test/support/email-links.ts';
import { addSecondFactor } from './support/second-factor.ts';
import {
  eachEngine,
  siteUrl,
  startTestService,
  type TestService,
  type TestUser,
} from '../../../apps/server/test/support/test-service.ts';
import { SoftwareAuthenticator } from './support/software-authenticator.ts';

eachEngine('the owner receives a security notice for', { tags: ['AUTH-58'] }, (engine) => {
  let test: TestService;
  let auth: AuthRequester;
  let ann: TestUser;
  let bearer: string;
  beforeAll(async () => {
    test = await startTestService(engine);
    auth = createAuthRequester(test);
  });
  beforeEach(async () => {
    ann = await test.createUser();
    bearer = (await test.signIn(ann)).access_token;
  });
  afterAll(() => test.close());

  /** Returns the subjects of the emails to a user, oldest first. No email contains a link or a secret. */
  const notices = async (email = ann.email): Promise<string[]> => {
    const emails = (await test.emails()).filter((message) => message.to?.[0]?.address === email);
    for (const { text } of emails) expect(text).not.toMatch(/token|secret|\b\d{6}\b/i);
    return emails.map(({ subject }) => subject ?? '');
  };

  it('second factors, added by the first verification and removed by the user', async () => {
    const factor = await addSecondFactor(auth, bearer, () => new Date());
    expect(await notices()).toEqual(['A second factor was added to your Lanternrock account']);
    const elevated = String(factor.elevated.json['access_token']);
    await auth('POST', '/factors', { bearer: elevated, body: { factor_type: 'totp', friendly_name: 'x' } });
    await auth('DELETE', `/factors/${factor.id}`, { bearer: elevated });
    // An enrollment that was not completed is not a change.
    expect((await notices()).slice(1)).toEqual(['A second factor was removed from your Lanternrock account']);
  });

  it('second factors removed with the secret key', async () => {
    const { id } = await addSecondFactor(auth, bearer, () => new Date());
    await auth('DELETE', `/admin/users/${ann.id}/factors/${id}`, { bearer: test.serviceRoleKey });
    expect((await notices()).slice(1)).toEqual(['A second factor was removed from your Lanternrock account']);
  });

  it('a password, set for the first time or changed', async () => {
    await test.database.query(sql`update auth.users set encrypted_password = null where id = ${ann.id}`);
    expect((await auth('PUT', '/user', { bearer, body: { password: 'a fine password' } })).status).toBe(200);
    expect(await notices()).toEqual(['Your Lanternrock password was set']);
    expect((await auth('PUT', '/user', { bearer, body: { password: 'another password' } })).status).toBe(200);
    expect((await notices()).slice(1)).toEqual(['Your Lanternrock password was changed']);
  });

  it('passkeys', async () => {
    const { json } = await auth('POST', '/passkeys/registration/options', { bearer, body: {} });
    const key = new SoftwareAuthenticator(siteUrl);
    const credential = key.create(json['options'] as Parameters<SoftwareAuthenticator['create']>[0]);
    const registered = await auth('POST', '/passkeys/registration/verify', {
      bearer,
      body: { challenge_id: json['challenge_id'], credential },
    });
    expect(await notices()).toEqual(['A passkey was added to your Lanternrock account']);
    await auth('DELETE', `/passkeys/${String(registered.json['id'])}`, { bearer });
    expect((await notices()).slice(1)).toEqual(['A passkey was removed from your Lanternrock account']);
  });

  it('a new email address, at the old one', async () => {
    const next = `next-${ann.email}`;
    await auth('PUT', '/user', { bearer, body: { email: next } });
    for (const email of [ann.email, next]) {
      const token_hash = linksIn(await test.emails(), email)
        .at(-1)
        ?.searchParams.get('token_hash');
      await auth('POST', '/verify', { body: { type: 'email_change', token_hash } });
    }
    const subject = 'The email address of your Lanternrock account was changed';
    const emails = (await test.emails()).filter((email) => email.subject === subject);
    expect(emails.map(({ to }) => to?.[0]?.address)).toEqual([ann.email]);
    // User-supplied text contains invisible breaks, so that no email client makes it a link.
    expect(emails[0]?.text?.replaceAll('\u2060', '')).toContain(next);
  });

  it('unlinked identities', async () => {
    await test.database.query(sql`insert into auth.identities (user_id, provider, provider_id)
      values (${ann.id}, 'keycloak', ${ann.id})`);
    const { json } = await auth('GET', '/user', { bearer });
    const identities = json['identities'] as { identity_id: string; provider: string }[];
    const linked = identities.find(({ provider }) => provider === 'keycloak')?.identity_id ?? '';
    await auth('DELETE', `/user/identities/${linked}`, { bearer });
    expect(await notices()).toEqual(['A sign-in method was removed from your Lanternrock account']);
  });

  it('no change that was rejected', async () => {
    expect((await auth('PUT', '/user', { bearer, body: { password: 'short' } })).status).toBe(422);
    expect((await auth('DELETE', '/user/identities/x', { bearer })).status).toBe(404);
    expect(await notices()).toEqual([]);
  });
});
