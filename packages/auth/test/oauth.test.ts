import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { blockUser, unblockUser } from '../src/users.ts';
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
  signInBy,
  startProviders,
  type Providers,
} from './support/oauth-flows.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { clientId, followRedirects } from './support/oidc-providers.ts';
import { eachEngine, siteUrl, startAuth, type AuthFixture } from './support/start-auth.ts';

const verifier = 'v'.repeat(64);
const challenge = createHash('sha256').update(verifier).digest('base64url');

eachEngine('sign-in by providers', (engine) => {
  let providers: Providers;
  let test: AuthFixture;
  let open: AuthFixture;
  let auth: AuthRequester;
  beforeAll(async () => {
    providers = await startProviders();
    const settings = { OAUTH_PROVIDERS_FILE: providers.file };
    test = await startAuth(engine, { settings });
    open = await startAuth(engine, { settings: { ...settings, SIGNUP: true } });
    auth = createAuthRequester(test);
  });
  afterAll(async () => {
    await Promise.all([test.close(), open.close(), providers.close()]);
  });
  const addUser = (email: string, verified = true): string => providers.addUser(email, verified);

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

  it('bounds what clients without credentials can store: the length of the query and the age of flows', async () => {
    const countFlows = async (): Promise<number> =>
      (await test.database.query(sql`select from auth.flow_state`)).length;
    await begin(test, { provider: 'keycloak', login_hint: 'x'.repeat(7000) });
    await test.database.query(
      sql`update auth.flow_state set expires_at = now() - interval '61 minutes' where session_id is null`,
    );
    const used = await countFlows();
    const path = `/authorize?provider=keycloak&login_hint=${'x'.repeat(8192)}`;
    expect(await auth('GET', path)).toMatchObject({ status: 400, json: { code: 'validation_failed' } });
    expect(await countFlows()).toBe(used);
    await begin(test, { provider: 'keycloak' });
    expect(await countFlows()).toBeLessThanOrEqual(used);
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
        const notices = await test.emailsTo(ann.email);
        expect(notices.map(({ kind }) => kind)).toEqual(['identity_linked']);
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

    it.each(['a new password', 'a new password by the secret key', 'a removal'])(
      '%s ends what another client started with the session: linking, codes, a change of the address',
      { tags: ['AUTH-60'] },
      async (event) => {
        const ann = await test.createUser();
        const id = addUser(ann.email);
        const pkce = { code_challenge: challenge, code_challenge_method: 's256' };
        const code = (await signInBy(test, 'keycloak', { login_hint: id, ...pkce })).searchParams.get('code');
        const [stolen, owner] = [await test.signIn(ann), await test.signIn(ann)];
        const newEmail = { email: `${randomUUID()}@example.org` };
        const { status } = await auth('PUT', '/user', { bearer: stolen.access_token, body: newEmail });
        const query = `provider=keycloak&skip_http_redirect=true&login_hint=${addUser(newEmail.email)}`;
        const { response, cookie } = await beginLinking(test, stolen.access_token, query);
        expect([status, response.status]).toEqual([200, 200]);

        const body = { password: 'another fine password' };
        const service = { bearer: test.serviceRoleKey };
        if (event === 'a new password')
          await auth('PUT', '/user', { bearer: owner.access_token, body: body });
        else if (event === 'a removal') {
          await test.database.transaction((tx) => blockUser(tx, ann.id));
          await test.database.transaction((tx) => unblockUser(tx, ann.id));
        } else await auth('PUT', `/admin/users/${ann.id}`, { ...service, body });

        const linked = readLocation(await confirmLink(test, await response.text(), cookie));
        expect(linked).toMatch(badState);
        const exchange = { auth_code: code, code_verifier: verifier };
        expect(await auth('POST', '/token?grant_type=pkce', { body: exchange })).toMatchObject({
          json: { code: 'flow_state_not_found' },
        });
        const [user] = await test.database.query(
          sql`select email, email_change from auth.users where id = ${ann.id}`,
        );
        expect(user).toEqual({ email: ann.email, email_change: null });
      },
    );

    it('a first second factor ends linking that another client started', { tags: ['AUTH-60'] }, async () => {
      const ann = await test.createUser();
      const [stolen, owner] = [await test.signIn(ann), await test.signIn(ann)];
      const query = `provider=keycloak&skip_http_redirect=true&login_hint=${addUser(`${randomUUID()}@example.org`)}`;
      const { response, cookie } = await beginLinking(test, stolen.access_token, query);
      const { elevated } = await addSecondFactor(auth, owner.access_token, () => new Date());
      expect([response.status, elevated.status]).toEqual([200, 200]);
      expect(readLocation(await confirmLink(test, await response.text(), cookie))).toMatch(badState);
    });

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
