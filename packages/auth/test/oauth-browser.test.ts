/** An OAuth flow finishes only in the browser that started it, and links an identity only after a click. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { allMethods, removeSignInMethods } from '../src/users/sign-in-methods.ts';
import { decodeClaims } from './support/auth-requests.ts';
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
import { followRedirects } from './support/oidc-providers.ts';
import { eachEngine, siteUrl, startAuth, type AuthFixture } from './support/start-auth.ts';
import { waitUntilBlocked } from '@lanternrock/testing/wait-until-blocked';

eachEngine('the browser of an OAuth flow', (engine) => {
  let providers: Providers;
  let test: AuthFixture;
  beforeAll(async () => {
    providers = await startProviders();
    test = await startAuth(engine, { settings: { OAUTH_PROVIDERS_FILE: providers.file } });
  });
  afterAll(async () => {
    await Promise.all([test.close(), providers.close()]);
  });

  it(
    'accepts a state only in the browser that started the flow; another browser does not consume it',
    { tags: ['AUTH-41'] },
    async () => {
      const ann = await test.createUser();
      const { url, cookie, headers } = await begin(test, {
        provider: 'keycloak',
        login_hint: providers.addUser(ann.email),
      });
      expect(headers.get('Set-Cookie')).toMatch(
        /^oauth-state-[\w-]{12}=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
      );
      const callbackUrl = await followRedirects(url, callback);
      expect(cookie).not.toContain(callbackUrl.searchParams.get('state'));
      const other = await begin(test, { provider: 'keycloak' });
      const [name = ''] = cookie.split('=');
      const forged = `${name}=${other.cookie.split('=')[1] ?? ''}`;
      const before = await test.fingerprint();
      for (const sent of ['', other.cookie, forged, `${name}=`]) {
        const rejected = await openCallback(test, callbackUrl, sent);
        expect([rejected.status, rejected.headers.get('Set-Cookie')]).toEqual([303, null]);
        expect(readLocation(rejected)).toMatch(badState);
      }
      expect(await test.fingerprint()).toBe(before);
      expect(readLocation(await openCallback(test, callbackUrl, cookie))).toContain('access_token');
    },
  );

  it('binds the cookie to the host over HTTPS', { tags: ['AUTH-41'] }, async () => {
    const secure = await startAuth(engine, {
      settings: { OAUTH_PROVIDERS_FILE: providers.file, SITE_URL: 'https://console.example' },
    });
    const start = await secure.fetch('https://console.example/auth/v1/authorize?provider=github');
    expect(start.headers.get('Set-Cookie')).toMatch(
      /^__Host-oauth-state-[\w-]{12}=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    // On another host name of the service, the browser is first redirected to the callback host to receive its
    // cookie.
    const otherHost = await secure.fetch('https://other.example/auth/v1/authorize?provider=github');
    expect(otherHost.headers.get('Set-Cookie')).toBeNull();
    const url = new URL(readLocation(otherHost));
    expect(url.origin + url.pathname).toBe('https://console.example/auth/v1/authorize/continue');
    const further = await secure.fetch(url.href);
    expect(readLocation(further)).toContain(providers.plainUrl);
    expect(further.headers.get('Set-Cookie')).toContain('__Host-oauth-state-');
    await secure.close();
  });

  it('converts a form POST of the provider to a navigation, so that the browser sends the cookie', async () => {
    const ann = await test.createUser();
    const { url, cookie } = await begin(test, {
      provider: 'posts',
      login_hint: providers.addUser(ann.email),
    });
    const { form } = await followRedirects(url, callback);
    expect(form?.get('code')).toBeTruthy();
    const post = (body: URLSearchParams): Promise<Response> =>
      // A cross-site POST does not send a Lax cookie.
      test.request('/auth/v1/callback', { method: 'POST', body });
    const posted = await post(new URLSearchParams([...(form ?? []), ['user', '{"name":"Ann"}']]));
    const next = new URL(readLocation(posted));
    expect([posted.status, next.origin + next.pathname]).toEqual([303, callback]);
    expect([...next.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect(readLocation(await openCallback(test, next, ''))).toMatch(badState);
    expect(
      decodeClaims(fragment(new URL(readLocation(await openCallback(test, next, cookie))))),
    ).toMatchObject({
      sub: ann.id,
    });
    const long = await post(new URLSearchParams({ state: randomUUID(), code: 'x'.repeat(10_000) }));
    expect(readLocation(long)).toBe(callback);
  });

  it(
    'requires a click on a page that names both accounts, in the same browser',
    { tags: ['AUTH-41'] },
    async () => {
      const ann = await test.createUser();
      const { access_token } = await test.signIn(ann);
      const remote = `remote-${randomUUID()}@example.org`;
      const query = new URLSearchParams({
        provider: 'keycloak',
        skip_http_redirect: 'true',
        login_hint: providers.addUser(remote),
        redirect_to: `${siteUrl}/admin/me/security`,
      }).toString();
      const identities = async (): Promise<unknown> =>
        test.database.query(sql`select provider from auth.identities where user_id = ${ann.id} order by 1`);
      const { response, cookie, confirmUrl } = await beginLinking(test, access_token, query);
      const page = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Security-Policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/localhost:3000; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(page).toContain(`<strong>${ann.email}</strong>`);
      expect(page).toContain(`<strong>${remote}</strong>`);
      expect(page).not.toMatch(/<script/i);
      expect(await identities()).toEqual([{ provider: 'email' }]);

      // The URL works once, and the token of the page only with the cookie.
      expect(readLocation(await test.request(confirmUrl.href))).toMatch(badState);
      const before = await test.fingerprint();
      for (const [form, sent] of [
        [page, ''],
        ['', cookie],
      ] as const)
        expect(readLocation(await confirmLink(test, form, sent))).toMatch(badState);
      expect(await test.fingerprint()).toBe(before);

      const final = await confirmLink(test, page, cookie);
      expect([final.status, new URL(readLocation(final)).pathname]).toEqual([303, '/admin/me/security']);
      expect(await identities()).toEqual([{ provider: 'email' }, { provider: 'keycloak' }]);
      expect(readLocation(await confirmLink(test, page, cookie))).toMatch(badState);
    },
  );

  it.runIf(engine === 'postgres').each(['fragment', 'code'])(
    'does not link an identity if a recovery ends the flow at the click (%s)',
    async (method) => {
      const ann = await test.createUser();
      const { access_token } = await test.signIn(ann);
      const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' };
      const query = new URLSearchParams({
        provider: 'keycloak',
        skip_http_redirect: 'true',
        login_hint: providers.addUser(`${randomUUID()}@example.org`),
        ...(method === 'code' ? challenge : {}),
      }).toString();
      const { response, cookie } = await beginLinking(test, access_token, query);
      const page = await response.text();
      const { click } = await test.database.transaction(async (tx) => {
        await tx.query(sql`select from auth.users where id = ${ann.id} for update`);
        const clicked = confirmLink(test, page, cookie);
        await waitUntilBlocked(test.database);
        await removeSignInMethods(tx, ann.id, new Date(), allMethods);
        return { click: clicked };
      });
      expect(readLocation(await click)).toMatch(badState);
      const rows = await test.database.query(
        sql`select provider from auth.identities where user_id = ${ann.id}`,
      );
      expect(rows).toEqual([{ provider: 'email' }]);
      expect(await test.emailsTo(ann.email)).toEqual([]);
    },
  );

  it('changes nothing and informs the client when linking is canceled', async () => {
    const ann = await test.createUser();
    const { access_token } = await test.signIn(ann);
    const query = `provider=keycloak&skip_http_redirect=true&login_hint=${providers.addUser(`${randomUUID()}@example.org`)}`;
    const { response, cookie } = await beginLinking(test, access_token, query);
    const final = new URL(readLocation(await confirmLink(test, await response.text(), cookie, 'no')));
    expect(fragment(final)).toMatchObject({
      error: 'access_denied',
      error_description: 'Linking was canceled',
    });
    const rows = await test.database.query(
      sql`select provider from auth.identities where user_id = ${ann.id}`,
    );
    expect(rows).toEqual([{ provider: 'email' }]);
  });
});
