import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { authClient } from '@lanternrock/auth/test-support/auth-client';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import {
  eachEngine,
  siteUrl,
  startTestService,
  type TestService,
  type TestUser,
} from './support/test-service.ts';
import { SoftwareAuthenticator } from '@lanternrock/auth/test-support/software-authenticator';

eachEngine('the published client with the secret key', (engine) => {
  let test: TestService;
  let ann: TestUser;
  beforeAll(async () => {
    test = await startTestService(engine);
  });
  beforeEach(async () => {
    ann = await test.createUser();
  });
  afterAll(() => test.close());
  const admin = () => authClient(test, { key: test.serviceRoleKey }).admin;

  it('lists, bans and deletes a user that it created', async () => {
    const login = { email: `made-by-${engine}@example.org`, password: 'a fine password' };
    const created = await admin().createUser({ ...login, email_confirm: true });
    const id = created.data.user?.id ?? '';

    const { data } = await admin().listUsers({ page: 1, perPage: 1 });
    expect(data).toMatchObject({ users: [{ id }], total: 2, nextPage: 2, lastPage: 2 });
    expect((await admin().getUserById(id)).data.user?.email).toBe(login.email);

    const banned = await admin().updateUserById(id, { ban_duration: '24h' });
    expect(banned.data.user?.banned_until).toBeTypeOf('string');
    await expect(test.signIn(login)).rejects.toThrow('user_banned');

    expect((await admin().deleteUser(id)).error).toBeNull();
    expect((await admin().getUserById(id)).error).toMatchObject({ status: 404, code: 'user_not_found' });
  });

  it('creates no second user with the same email address', async () => {
    const { error } = await admin().createUser({ email: ann.email });
    expect(error).toMatchObject({ status: 422, code: 'email_exists' });
  });

  it(
    'shows the unlimited ban of a removed administrator in listUsers and getUserById',
    { tags: ['X14'] },
    async () => {
      await test.database.query(sql`update auth.users set banned_until = 'infinity' where id = ${ann.id}`);
      const shown = { id: ann.id, banned_until: '9999-12-31T23:59:59.999Z' };
      const { data, error } = await admin().listUsers();
      expect(error).toBeNull();
      expect(data.users).toContainEqual(expect.objectContaining(shown));
      expect((await admin().getUserById(ann.id)).data.user).toMatchObject(shown);
    },
  );

  it('invites users and generates links that sign in', async () => {
    const email = `invited-by-${engine}@example.org`;
    const invited = await admin().inviteUserByEmail(email, { data: { a: 1 } });
    expect(invited.data.user).toMatchObject({ email, invited_at: expect.any(String) });
    const { data } = await admin().generateLink({ type: 'magiclink', email: ann.email });
    const token_hash = data.properties?.hashed_token ?? '';
    const opened = await authClient(test).verifyOtp({ type: 'magiclink', token_hash });
    expect(opened.data.user?.id).toBe(ann.id);
    expect((await admin().inviteUserByEmail(ann.email)).error).toMatchObject({ code: 'email_exists' });
  });

  it("revokes the sessions of a token's user with signOut", async () => {
    const { access_token } = await test.signIn(ann);
    expect((await admin().signOut(access_token)).error).toBeNull();
    expect((await authClient(test).getUser(access_token)).error).not.toBeNull();
  });

  it('lists and deletes the second factors of a user', async () => {
    const { access_token } = await test.signIn(ann);
    const { id } = await addSecondFactor(createAuthRequester(test), access_token, () => new Date());
    const userId = ann.id;
    expect((await admin().mfa.listFactors({ userId })).data?.factors).toMatchObject([{ id }]);
    expect((await admin().mfa.deleteFactor({ userId, id })).error).toBeNull();
    expect((await admin().mfa.listFactors({ userId })).data?.factors).toEqual([]);
    expect((await admin().mfa.deleteFactor({ userId, id })).error).toMatchObject({ status: 404 });
  });

  it('lists and deletes the passkeys of a user', async () => {
    const client = authClient(test);
    await client.signInWithPassword(ann);
    const registration = await client.passkey.startRegistration();
    if (registration.error) throw registration.error;
    const credential = new SoftwareAuthenticator(siteUrl).create(registration.data.options);
    const registered = await client.passkey.verifyRegistration({
      challengeId: registration.data.challenge_id,
      credential: credential as unknown as Parameters<
        typeof client.passkey.verifyRegistration
      >[0]['credential'],
    });
    const passkeyId = registered.data?.id ?? '';
    const userId = ann.id;
    expect((await admin().passkey.listPasskeys({ userId })).data).toMatchObject([{ id: passkeyId }]);
    expect((await admin().passkey.deletePasskey({ userId, passkeyId })).error).toBeNull();
    expect((await admin().passkey.listPasskeys({ userId })).data).toEqual([]);
  });

  describe('without the secret key', { tags: ['AUTH-51'] }, () => {
    it.each(['the publishable key', 'an access token'])('rejects %s and changes nothing', async (kind) => {
      const key = kind === 'the publishable key' ? test.anonKey : (await test.signIn(ann)).access_token;
      const { admin: other } = authClient(test, { key });
      const before = await test.fingerprint();
      const responses = [
        await other.listUsers(),
        await other.createUser({ email: 'x@example.org' }),
        await other.updateUserById(ann.id, { password: 'a better password' }),
        await other.deleteUser(ann.id),
        await other.generateLink({ type: 'recovery', email: ann.email }),
        await other.mfa.listFactors({ userId: ann.id }),
      ];
      expect(responses.map(({ error }) => error?.code)).toEqual(responses.map(() => 'not_admin'));
      expect(await test.fingerprint()).toBe(before);
    });
  });
});
