import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuthRequester, type AuthRequester } from './support/auth-requests.ts';
import { eachEngine, startAuth, type AuthFixture } from './support/start-auth.ts';

eachEngine('the Auth API without the product', (engine) => {
  const email = 'agnes@example.org';
  let test: AuthFixture;
  let auth: AuthRequester;
  beforeAll(async () => {
    test = await startAuth(engine, { settings: { SIGNUP: true, RESEND_COOLDOWN: 0 } });
    auth = createAuthRequester(test);
  });
  afterAll(() => test.close());

  /** Redeems the link of the newest email. */
  const openLink = async (type: string): Promise<string> => {
    const { link = '' } = (await test.emails()).at(-1) ?? {};
    const token_hash = new URL(link).searchParams.get('token_hash');
    const { status, json } = await auth('POST', '/verify', { body: { type, token_hash } });
    expect(status).toBe(200);
    return String(json['access_token']);
  };

  it('signs up, signs in, refreshes, changes the name and signs out', async () => {
    const user = { email, password: 'a fine password' };
    expect((await auth('POST', '/signup', { body: user })).json).toMatchObject({ email });
    expect(await test.emails()).toMatchObject([{ kind: 'confirmation', to: email }]);
    await openLink('signup');
    const { refresh_token } = await test.signIn(user);
    const refreshed = await auth('POST', '/token?grant_type=refresh_token', { body: { refresh_token } });
    const bearer = String(refreshed.json['access_token']);
    const change = await auth('PUT', '/user', { bearer, body: { data: { full_name: 'Agnès Varda' } } });
    expect(change.json).toMatchObject({ user_metadata: { full_name: 'Agnès Varda' } });
    expect((await auth('POST', '/logout', { bearer })).status).toBe(204);
    expect((await auth('GET', '/user', { bearer })).status).toBe(403);
  });

  it('recovers a password, and sends nothing to unknown addresses', async () => {
    for (const address of ['unknown@example.org', email])
      expect(await auth('POST', '/recover', { body: { email: address } })).toMatchObject({
        status: 200,
        json: {},
      });
    expect(await test.emailsTo('unknown@example.org')).toEqual([]);
    const bearer = await openLink('recovery');
    const change = await auth('PUT', '/user', { bearer, body: { password: 'another fine password' } });
    expect(change.status).toBe(200);
    await test.signIn({ email, password: 'another fine password' });
  });

  it('invites a user, who sets a first password', async () => {
    const invited = 'jacques@example.org';
    const invite = (address: string) =>
      auth('POST', '/invite', { bearer: test.serviceRoleKey, body: { email: address } });
    expect((await invite(invited)).status).toBe(200);
    const bearer = await openLink('invite');
    expect((await auth('GET', '/user/sessions', { bearer })).json).toMatchObject({
      code: 'password_not_set',
    });
    const change = await auth('PUT', '/user', { bearer, body: { password: 'a fine password' } });
    expect(change.json).toMatchObject({ email: invited });
    await test.signIn({ email: invited, password: 'a fine password' });
    // A user without a password and without an invitation of the product gets nothing.
    await invite('georges@example.org');
    await auth('POST', '/recover', { body: { email: 'georges@example.org' } });
    expect(await test.emailsTo('georges@example.org')).toMatchObject([{ kind: 'invitation' }]);
  });
});
