import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createEncryptor } from '../src/keys/encryption.ts';
import { createAuthRequester, decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import {
  badState,
  begin,
  beginLinking,
  callback,
  confirmLink,
  fragment,
  readLocation,
  openCallback,
  startProviders,
  type Providers,
} from './support/oauth-flows.ts';
import { clientId, followRedirects } from './support/oidc-providers.ts';
import {
  eachEngine,
  siteUrl,
  startTestService,
  type TestService,
} from '../../../apps/server/test/support/test-service.ts';

const verifier = 'v'.repeat(64);
const challenge = createHash('sha256').update(verifier).digest('base64url');

eachEngine('sign-in by providers', (engine) => {
  let providers: Providers;
  let test: TestService;
  let open: TestService;
  let auth: AuthRequester;
  beforeAll(async () => {
    providers = await startProviders();
    const settings = { OAUTH_PROVIDERS_FILE: providers.file };
    test = await startTestService(engine, { settings });
    open = await startTestService(engine, { settings: { ...settings, SIGNUP: 'on' } });
    auth = createAuthRequester(test);
  });
  afterAll(async () => {
    await Promise.all([test.close(), open.close(), providers.close()]);
  });
  const addUser = (email: string, verified = true): string => providers.addUser(email, verified);

  /**
   * Runs the complete flow: authorize, the pages of the provider, callback.
   * @returns the final redirect URL
   */
  const signInBy = async (
    service: TestService,
    provider: string,
    query: Record<string, string>,
  ): Promise<URL> => {
    const { url, cookie } = await begin(service, { provider, ...query });
    const response = await openCallback(service, await followRedirects(url, callback), cookie);
    expect(response.status).toBe(302);
    return new URL(readLocation(response));
  };
  it(
    'links a verified email address to its user and finds the identity at the next sign-in',
    { tags: ['C240'] },
    async () => {
      const ann = await test.createUser();
      const id = addUser(ann.email.toUpperCase());
      for (const round of [1, 2]) {
        const redirected = await signInBy(test, 'keycloak', { login_hint: id });
        expect(redirected.origin + redirected.pathname).toBe(`${siteUrl}/auth/callback`);
        const tokens = fragment(redirected);
        expect(decodeClaims(tokens)).toMatchObject({ sub: ann.id, amr: [{ method: 'oauth' }] });
        expect(tokens['provider_token']).toBeTruthy();
        const user = await auth('GET', '/user', { bearer: tokens['access_token'] ?? '' });
        expect(user.json).toMatchObject({
          id: ann.id,
          app_metadata: { provider: 'email', providers: ['email', 'keycloak'] },
        });
        expect((user.json['identities'] as unknown[]).length).toBe(2);
        expect(round).toBeLessThan(3);
      }
      await test.signIn(ann);
    },
  );

  it('PKCE: redirects with a code, and the exchange also returns the token of the provider', async () => {
    const ann = await test.createUser();
    const redirected = await signInBy(test, 'keycloak', {
      login_hint: addUser(ann.email),
      code_challenge: challenge,
      code_challenge_method: 's256',
    });
    expect(redirected.hash).toBe('');
    const body = { auth_code: redirected.searchParams.get('code'), code_verifier: verifier };
    const exchanged = await auth('POST', '/token?grant_type=pkce', { body });
    expect(exchanged).toMatchObject({
      status: 200,
      json: { provider_token: expect.any(String), user: { id: ann.id } },
    });
  });

  it('starts a flow again that was encrypted with another key, and returns one sentence', async () => {
    const ann = await test.createUser();
    const flow = { login_hint: addUser(ann.email), code_challenge: challenge, code_challenge_method: 's256' };
    const replaceFlowState = async (): Promise<void> => {
      const sealed = createEncryptor(randomBytes(32)).encrypt(Buffer.from('{}'), 'flow');
      await test.database.query(sql`update auth.flow_state set sealed = ${sealed} where sealed is not null`);
    };
    const { url, cookie } = await begin(test, { provider: 'keycloak', ...flow });
    const callbackUrl = await followRedirects(url, callback);
    await replaceFlowState();
    const rejected = await openCallback(test, callbackUrl, cookie);
    expect(readLocation(rejected)).toContain('error_code=secret_unreadable');
    const redirected = await signInBy(test, 'keycloak', flow);
    await replaceFlowState();
    const before = await test.fingerprint();
    const body = { auth_code: redirected.searchParams.get('code'), code_verifier: verifier };
    expect(await auth('POST', '/token?grant_type=pkce', { body })).toMatchObject({
      status: 422,
      json: {
        code: 'secret_unreadable',
        message: 'The encryption key has changed, please start again',
      },
    });
    expect(await test.fingerprint()).toBe(before);
  });

  it('never links an unverified email address, and creates no user while sign-up is disabled', async () => {
    const ann = await test.createUser();
    const before = await test.database.query(sql`select count(*)::int as n from auth.users`);
    for (const id of [addUser(ann.email, false), addUser(`${randomUUID()}@example.org`)]) {
      const redirected = await signInBy(test, 'keycloak', { login_hint: id });
      expect(Object.fromEntries(redirected.searchParams)).toMatchObject({ error_code: 'signup_disabled' });
      expect(fragment(redirected)).toMatchObject({
        error: 'access_denied',
        error_code: 'signup_disabled',
        sb: '',
      });
    }
    expect(await test.database.query(sql`select count(*)::int as n from auth.users`)).toEqual(before);
  });

  it('creates a user while sign-up is enabled, but not for an unverified email address', async () => {
    const email = `${randomUUID()}@example.org`;
    expect(fragment(await signInBy(open, 'keycloak', { login_hint: addUser(email, false) }))).toMatchObject({
      error_code: 'provider_email_needs_verification',
    });
    const tokens = fragment(await signInBy(open, 'keycloak', { login_hint: addUser(email) }));
    expect(decodeClaims(tokens)).toMatchObject({
      email,
      app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
    });
  });

  it('takes over an account that was created without ownership of the email address', async () => {
    const ann = await open.createUser();
    const attacker = await open.signIn(ann);
    await open.database.query(sql`update auth.users set email_confirmed_at = null where id = ${ann.id}`);
    const tokens = fragment(await signInBy(open, 'keycloak', { login_hint: addUser(ann.email) }));
    expect(decodeClaims(tokens)).toMatchObject({ sub: ann.id });
    await expect(open.signIn(ann)).rejects.toThrow('invalid_credentials');
    expect((await createAuthRequester(open)('GET', '/user', { bearer: attacker.access_token })).status).toBe(
      403,
    );
  });

  it('supports plain OAuth 2 providers, with the verified primary email address', async () => {
    const githubUser = await test.createUser({ email: 'octo@example.org' });
    expect(decodeClaims(fragment(await signInBy(test, 'github', {})))).toMatchObject({ sub: githubUser.id });
  });

  it('redirects with the error description of the provider', async () => {
    const redirected = await signInBy(test, 'keycloak', { login_hint: 'rejects' });
    expect(fragment(redirected)).toMatchObject({
      error: 'access_denied',
      error_code: 'bad_oauth_callback',
      error_description: 'The user denied access',
    });
  });

  describe('GET /authorize rejects', () => {
    it.each([
      ['provider=google', 400, 'validation_failed', 'Unsupported provider: provider is not enabled'],
      ['provider=%2e%2e', 400, 'validation_failed', 'Unsupported provider: Provider .. could not be found'],
      ['', 400, 'validation_failed', 'Unsupported provider: Provider  could not be found'],
      [
        `provider=keycloak&code_challenge=${challenge}`,
        400,
        'validation_failed',
        'PKCE flow requires code_challenge_method and code_challenge',
      ],
      ['provider=silent', 503, 'unexpected_failure', 'The sign-in provider is unavailable, please retry'],
    ])('%s', async (query, status, code, message) => {
      expect(await auth('GET', `/authorize?${query}`)).toMatchObject({ status, json: { code, message } });
    });
  });

  it('does not accept protocol parameters from the request', async () => {
    const hostile = 'client_id=x&redirect_uri=https://evil.example&state=x&response_type=token&nonce=x';
    const response = await test.request(
      `/auth/v1/authorize?provider=keycloak&${hostile}&redirect_to=https://evil.example&prompt=login`,
    );
    const url = new URL(response.headers.get('Location') ?? '');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: clientId,
      redirect_uri: callback,
      response_type: 'code',
      prompt: 'login',
    });
    expect(url.href).not.toContain('evil');
  });

  it(
    'accepts a state once and redirects invalid requests to the site with an error',
    { tags: ['AUTH-41'] },
    async () => {
      const ann = await test.createUser();
      const { url, cookie } = await begin(test, { provider: 'keycloak', login_hint: addUser(ann.email) });
      const callbackUrl = await followRedirects(url, callback);
      const redirected = await openCallback(test, callbackUrl, cookie);
      expect(new URL(readLocation(redirected)).hash).toContain('access_token');
      expect(redirected.headers.get('Set-Cookie')).toMatch(/^oauth-state-[\w-]{12}=; Max-Age=0; Path=\//);
      const junk = [callbackUrl.search, '?state=x&code=y', `?state=${randomUUID()}&code=y`, ''];
      for (const search of junk) {
        const response = await test.request(`/auth/v1/callback${search}`, { headers: { Cookie: cookie } });
        expect(response.status).toBe(303);
        expect(readLocation(response)).toMatch(badState);
      }
    },
  );

  describe('invite_token', () => {
    const invite = async (email: string): Promise<string> => {
      const { link } = await test.service.invitations.createLink({ email, fullName: 'Invited Person' });
      return new URL(link).searchParams.get('token_hash') ?? '';
    };
    const readUserData = async (email: string): Promise<unknown> =>
      test.database.query(sql`select u.email_confirmed_at, i.status,
          (select count(*)::int from auth.identities o where o.user_id = u.id) as identities,
          (select count(*)::int from auth.sessions s where s.user_id = u.id) as sessions,
          (select count(*)::int from public.user_roles r where r.user_id = u.id) as roles
        from auth.users u join private.invitations i on i.user_id = u.id where u.email = ${email}`);

    it.each(['fragment', 'code'])(
      'signs in the invited user to set a first password (%s)',
      async (responseKind) => {
        const email = `${randomUUID()}@example.org`;
        const invite_token = await invite(email);
        const pkce =
          responseKind === 'code' ? { code_challenge: challenge, code_challenge_method: 's256' } : {};
        const redirected = await signInBy(test, 'keycloak', {
          login_hint: addUser(email),
          invite_token,
          ...pkce,
        });
        const session =
          responseKind === 'fragment'
            ? fragment(redirected)
            : (
                await auth('POST', '/token?grant_type=pkce', {
                  body: { auth_code: redirected.searchParams.get('code'), code_verifier: verifier },
                })
              ).json;
        const bearer = String(session['access_token']);
        expect((await auth('GET', '/user', { bearer })).json).toMatchObject({
          email,
          app_metadata: { setup_required: true, providers: ['email', 'keycloak'] },
        });
        expect(await readUserData(email)).toMatchObject([{ status: 'pending', roles: 0 }]);
        expect((await auth('PUT', '/user', { bearer, body: { password: 'a fine password' } })).status).toBe(
          200,
        );
        expect(await readUserData(email)).toMatchObject([{ status: 'accepted', roles: 1 }]);
      },
    );

    it('is rejected for another email address, an unverified one, or an invitation that has ended', async () => {
      const email = `${randomUUID()}@example.org`;
      const invite_token = await invite(email);
      const before = await readUserData(email);
      for (const id of [addUser(`other-${email}`), addUser(email, false)]) {
        expect(fragment(await signInBy(test, 'keycloak', { login_hint: id, invite_token }))).toMatchObject({
          error: 'invalid_request',
          error_code: 'validation_failed',
          error_description: 'Invited email does not match emails from external provider',
        });
      }
      expect(await readUserData(email)).toEqual(before);
      await test.database.query(
        sql`update private.invitations set status = 'revoked' where email = ${email}`,
      );
      const start = `/authorize?${new URLSearchParams({ provider: 'keycloak', invite_token }).toString()}`;
      expect(await auth('GET', start)).toMatchObject({ status: 404, json: { code: 'user_not_found' } });
      expect(await auth('GET', '/authorize?provider=keycloak&invite_token=x')).toMatchObject({
        status: 404,
        json: { code: 'user_not_found' },
      });
    });
  });

  describe('linking', () => {
    it(
      'links an identity to the signed-in user and unlinks it',
      { tags: ['C241', 'C242', 'AUTH-60'] },
      async () => {
        const ann = await test.createUser();
        const { access_token } = await test.signIn(ann);
        const id = addUser(`${randomUUID()}@example.org`);
        const query = new URLSearchParams({
          provider: 'keycloak',
          skip_http_redirect: 'true',
          login_hint: id,
        }).toString();
        const link = async (bearer: string): Promise<URL> => {
          const { response, cookie } = await beginLinking(test, bearer, query);
          if (response.status !== 200) return new URL(readLocation(response));
          const page = await response.text();
          return new URL(readLocation(await confirmLink(test, page, cookie)));
        };
        expect(decodeClaims(fragment(await link(access_token)))).toMatchObject({
          sub: ann.id,
          email: ann.email,
        });
        const notices = (await test.emails()).filter((email) => email.to?.[0]?.address === ann.email);
        expect(notices.map(({ subject }) => subject)).toEqual([
          'A sign-in method was added to your Lanternrock account',
        ]);
        expect(fragment(await link(access_token))).toMatchObject({
          error_code: 'identity_already_exists',
          error_description: 'Identity is already linked',
        });
        const ben = await test.signIn(await test.createUser());
        expect(fragment(await link(ben.access_token))).toMatchObject({
          error_description: 'Identity is already linked to another user',
        });

        const identities = (await auth('GET', '/user', { bearer: access_token })).json['identities'] as {
          identity_id: string;
          provider: string;
        }[];
        const remote = identities.find(({ provider }) => provider === 'keycloak')?.identity_id ?? '';
        const emailIdentityId = identities.find(({ provider }) => provider === 'email')?.identity_id ?? '';
        expect(
          await auth('DELETE', `/user/identities/${remote}`, { bearer: ben.access_token }),
        ).toMatchObject({
          status: 422,
          json: { code: 'identity_not_found' },
        });
        expect(await auth('DELETE', `/user/identities/${remote}`, { bearer: access_token })).toMatchObject({
          status: 200,
          text: '{}',
        });
        expect(
          await auth('DELETE', `/user/identities/${emailIdentityId}`, { bearer: access_token }),
        ).toMatchObject({
          status: 422,
          json: { code: 'single_identity_not_deletable' },
        });
        expect(await auth('DELETE', '/user/identities/x', { bearer: access_token })).toMatchObject({
          status: 404,
        });
        expect((await auth('GET', '/user', { bearer: access_token })).json).toMatchObject({
          app_metadata: { providers: ['email'] },
        });
      },
    );

    it('requires a signed-in user', { tags: ['C241'] }, async () => {
      expect(await auth('GET', '/user/identities/authorize?provider=keycloak')).toMatchObject({
        status: 403,
      });
    });
  });

  it('GET /settings lists the enabled providers', async () => {
    expect((await auth('GET', '/settings')).json).toMatchObject({
      external: {
        email: true,
        keycloak: true,
        github: true,
        google: false,
        phone: false,
        anonymous_users: false,
      },
      disable_signup: true,
      mailer_autoconfirm: false,
      saml_enabled: false,
      passkeys_enabled: true,
    });
  });
});
