import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authClient } from '@lanternrock/auth/test-support/auth-client';
import { decodeClaims } from '@lanternrock/auth/test-support/auth-requests';
import { linksIn } from './support/email-links.ts';
import {
  clientId,
  startIdTokenIssuer,
  type IdTokenIssuer,
} from '@lanternrock/auth/test-support/oidc-providers';
import {
  eachEngine,
  siteUrl,
  startTestService,
  type TestService,
  type TestUser,
} from './support/test-service.ts';

let counter = 0;

eachEngine('the published client for a user', (engine) => {
  let test: TestService;
  let issuer: IdTokenIssuer;
  let ann: TestUser;
  let clock = Date.now();
  beforeAll(async () => {
    const github = 'https://github.example';
    issuer = await startIdTokenIssuer({
      github: {
        authorization_endpoint: `${github}/authorize`,
        token_endpoint: `${github}/token`,
        userinfo_endpoint: `${github}/user`,
      },
    });
    const settings = { SIGNUP: 'on', ANONYMOUS: 'on', OAUTH_PROVIDERS_FILE: issuer.file };
    test = await startTestService(engine, { settings, now: () => new Date(clock) });
  });
  beforeEach(async () => {
    clock += 90_000;
    ann = await test.createUser();
  });
  afterAll(async () => {
    await Promise.all([test.close(), issuer.close()]);
  });

  const signedIn = async (user = ann) => {
    const client = authClient(test);
    expect((await client.signInWithPassword(user)).error).toBeNull();
    return client;
  };
  const linksTo = async (email: string): Promise<{ link: URL | undefined; code: string }> => {
    const message = (await test.emails()).findLast(({ to }) => to?.[0]?.address === email);
    return {
      link: linksIn(message ? [message] : [], email)[0],
      code: /\b\d{6}\b/.exec(message?.text ?? '')?.[0] ?? '',
    };
  };
  const idToken = (email: string): Promise<string> => {
    counter += 1;
    return issuer.sign({ sub: `subject-${counter}`, email, email_verified: true });
  };

  it('supports signUp, resend and verifyOtp by code', async () => {
    const client = authClient(test);
    const email = `newcomer-${(counter += 1)}@example.org`;
    const signedUp = await client.signUp({ email, password: 'a fine password', options: { data: { a: 1 } } });
    expect(signedUp).toMatchObject({ error: null, data: { session: null, user: { email } } });
    clock += 61_000;
    expect((await client.resend({ type: 'signup', email })).error).toBeNull();
    const { code } = await linksTo(email);
    const verified = await client.verifyOtp({ email, token: code, type: 'signup' });
    expect(verified.data.session?.user.email).toBe(email);
    const again = await authClient(test).verifyOtp({ email, token: code, type: 'signup' });
    expect(again.error).toMatchObject({ status: 403, code: 'otp_expired' });
  });

  it('supports signInAnonymously', async () => {
    const { data, error } = await authClient(test).signInAnonymously({ options: { data: { a: 1 } } });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ is_anonymous: true, user_metadata: { a: 1 } });
  });

  it('supports signInWithOtp, and initialize on a followed link', async () => {
    const client = authClient(test);
    expect((await client.signInWithOtp({ email: ann.email })).error).toBeNull();
    const { link } = await linksTo(ann.email);
    const token_hash = link?.searchParams.get('token_hash') ?? '';
    expect((await client.verifyOtp({ type: 'magiclink', token_hash })).data.user?.id).toBe(ann.id);
    expect((await client.initialize()).error).toBeNull();
  });

  it('supports getSession, getUser, getClaims, setSession and refreshSession', async () => {
    const client = await signedIn();
    const { data } = await client.getSession();
    expect((await client.getUser()).data.user?.id).toBe(ann.id);
    expect((await client.getClaims()).data?.claims).toMatchObject({ sub: ann.id, aal: 'aal1' });
    const other = authClient(test);
    const { access_token = '', refresh_token = '' } = data.session ?? {};
    expect((await other.setSession({ access_token, refresh_token })).data.user?.id).toBe(ann.id);
    const refreshed = await other.refreshSession();
    expect(refreshed.data.session?.refresh_token).not.toBe(refresh_token);
    const junk = await authClient(test).refreshSession({ refresh_token: 'junk' });
    expect(junk.error).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('supports resetPasswordForEmail and exchangeCodeForSession: a recovery with PKCE', async () => {
    const store = new Map<string, string>();
    const client = authClient(test, { store, flowType: 'pkce' });
    const recovery = await client.resetPasswordForEmail(ann.email, {
      redirectTo: `${siteUrl}/auth/callback`,
    });
    expect(recovery.error).toBeNull();
    const { link } = await linksTo(ann.email);
    const verified = await test.request('/auth/v1/verify', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: link?.searchParams.toString() ?? '',
    });
    const code = new URL(verified.headers.get('Location') ?? '').searchParams.get('code') ?? '';
    const otherClient = await authClient(test, { flowType: 'pkce' }).exchangeCodeForSession(code);
    expect(otherClient.error).not.toBeNull();
    const { data } = await client.exchangeCodeForSession(code);
    expect(decodeClaims({ ...data.session })).toMatchObject({ sub: ann.id, amr: [{ method: 'recovery' }] });
  });

  it('supports reauthenticate, and updateUser with the emailed code', async () => {
    const client = await signedIn();
    expect((await client.reauthenticate()).error).toBeNull();
    const { code } = await linksTo(ann.email);
    const wrong = code === '111111' ? '222222' : '111111';
    expect((await client.updateUser({ password: 'a better password', nonce: wrong })).error).toMatchObject({
      code: 'reauthentication_not_valid',
    });
    expect((await client.updateUser({ password: 'a better password', nonce: code })).error).toBeNull();
    await test.signIn({ ...ann, password: 'a better password' });
  });

  describe('signOut', () => {
    const hasSession = async (client: Awaited<ReturnType<typeof signedIn>>): Promise<boolean> =>
      (await client.getUser()).error === null;

    it('revokes only the current session on the server with scope local', { tags: ['AUTH-22'] }, async () => {
      const [current, other] = [await signedIn(), await signedIn()];
      const { data } = await current.getSession();
      expect((await current.signOut({ scope: 'local' })).error).toBeNull();
      expect((await current.getSession()).data.session).toBeNull();
      const { refresh_token = '', access_token = '' } = data.session ?? {};
      const old = await authClient(test).refreshSession({ refresh_token });
      expect(old.error).toMatchObject({ name: 'AuthSessionMissingError' });
      expect((await authClient(test).getUser(access_token)).error).not.toBeNull();
      expect(await hasSession(other)).toBe(true);
    });

    it(
      'keeps the current session with scope others, and none with scope global',
      { tags: ['AUTH-22'] },
      async () => {
        const [current, other] = [await signedIn(), await signedIn()];
        await current.signOut({ scope: 'others' });
        expect([await hasSession(current), await hasSession(other)]).toEqual([true, false]);
        const third = await signedIn();
        await current.signOut();
        expect([await hasSession(current), await hasSession(third)]).toEqual([false, false]);
      },
    );
  });

  it('supports onAuthStateChange, startAutoRefresh, stopAutoRefresh and dispose', async () => {
    const client = await signedIn();
    const events: string[] = [];
    const { data } = client.onAuthStateChange((event) => void events.push(event));
    await client.startAutoRefresh();
    await client.refreshSession();
    await client.stopAutoRefresh();
    data.subscription.unsubscribe();
    await client.signOut();
    expect(events).toEqual(['INITIAL_SESSION', 'TOKEN_REFRESHED']);
    await client.dispose();
  });

  it('redirects signInWithOAuth to the provider with the challenge and state of the service', async () => {
    const options = { redirectTo: `${siteUrl}/auth/callback`, skipBrowserRedirect: true };
    const { data } = await authClient(test).signInWithOAuth({ provider: 'github', options });
    const url = new URL(data.url ?? '');
    const response = await test.request(`${url.pathname}${url.search}`);
    expect(response.status).toBe(302);
    const target = new URL(response.headers.get('Location') ?? '');
    expect(target.origin).toBe('https://github.example');
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      client_id: clientId,
      redirect_uri: `${siteUrl}/auth/v1/callback`,
      state: expect.stringMatching(/^[\da-f-]{36}$/),
      code_challenge_method: 'S256',
    });
  });

  it('supports signInWithIdToken, linkIdentity by id_token, getUserIdentities and unlinkIdentity', async () => {
    const credentials = { provider: 'apple', token: await idToken(ann.email) };
    const bySame = await authClient(test).signInWithIdToken(credentials);
    expect(bySame.data.user?.id).toBe(ann.id);
    const ben = await test.createUser();
    const client = await signedIn(ben);
    const linked = await client.linkIdentity({ provider: 'apple', token: await idToken('x@example.net') });
    expect(linked.error).toBeNull();
    const { data } = await client.getUserIdentities();
    const identities = data?.identities ?? [];
    expect(identities.map(({ provider }) => provider)).toEqual(['email', 'apple']);
    const [own, apple] = identities;
    if (!own || !apple) throw new Error('expected two identities');
    expect((await client.unlinkIdentity(apple)).error).toBeNull();
    expect((await client.unlinkIdentity(own)).error).toMatchObject({
      status: 422,
      code: 'single_identity_not_deletable',
    });
  });

  it('returns the URL of the provider for linkIdentity', async () => {
    const client = await signedIn();
    const options = { skipBrowserRedirect: true };
    const { data, error } = await client.linkIdentity({ provider: 'github', options });
    expect(error).toBeNull();
    // The URL of the service, which sets the cookie that binds the flow to the browser.
    expect(data.url).toMatch(/^http:\/\/localhost:3000\/auth\/v1\/authorize\/continue\?token=/);
    const further = await test.request(data.url ?? '');
    expect(new URL(further.headers.get('Location') ?? '').origin).toBe('https://github.example');
  });
});
