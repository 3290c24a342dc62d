/** OAuth flows as in a browser, and the providers of the tests. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createAuthRequester, type TestApi } from './auth-requests.ts';
import {
  startIdTokenIssuer,
  startOpenIdProvider,
  startPlainOAuth,
  followRedirects,
} from './oidc-providers.ts';
import { siteUrl } from './start-auth.ts';

export const callback = `${siteUrl}/auth/v1/callback`;
export const badState = /^http:\/\/localhost:3000\/\?error=invalid_request&error_code=bad_oauth_state/;

export interface Providers {
  /** Content of OAUTH_PROVIDERS_FILE. */
  readonly file: string;
  readonly plainUrl: string;
  /**
   * Adds a user of the OpenID provider.
   * @returns the `login_hint` that signs in as this user
   */
  addUser(email: string, verified?: boolean): string;
  close(): Promise<void>;
}

export async function startProviders(): Promise<Providers> {
  const users = new Map<string, Record<string, unknown>>();
  const [openid, plain] = await Promise.all([
    startOpenIdProvider(users, callback),
    startPlainOAuth('octo@example.org'),
  ]);
  const issuer = await startIdTokenIssuer({
    keycloak: { issuer: openid.url },
    github: {
      authorization_endpoint: `${plain.url}/authorize`,
      token_endpoint: `${plain.url}/token`,
      userinfo_endpoint: `${plain.url}/user`,
      emails_endpoint: `${plain.url}/user/emails`,
    },
    posts: { issuer: openid.url, response_mode: 'form_post' },
    silent: { issuer: 'http://127.0.0.1:9' },
  });
  return {
    file: issuer.file,
    plainUrl: plain.url,
    addUser(email, verified = true) {
      const id = randomUUID();
      users.set(id, { email, email_verified: verified, name: 'Remote Person' });
      return id;
    },
    close: async () => {
      await Promise.all([openid.close(), issuer.close(), plain.close()]);
    },
  };
}

const readCookie = (response: Response): string =>
  (response.headers.get('Set-Cookie') ?? '').replace(/;.*/, '');
export const readLocation = (response: Response): string => response.headers.get('Location') ?? '';
export const fragment = (url: URL): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.hash.slice(1)));

interface StartedFlow {
  /** URL of the provider. */
  readonly url: string;
  readonly cookie: string;
  readonly headers: Headers;
}

export async function begin(test: TestApi, query: Record<string, string>): Promise<StartedFlow> {
  const parameters = new URLSearchParams({ redirect_to: `${siteUrl}/auth/callback`, ...query });
  const start = await test.request(`/auth/v1/authorize?${parameters.toString()}`);
  expect(start.status).toBe(302);
  return { url: readLocation(start), cookie: readCookie(start), headers: start.headers };
}

/** Opens the callback, as the browser with this cookie does. */
export const openCallback = (test: TestApi, callbackUrl: URL, cookie: string): Promise<Response> =>
  test.request(`${callbackUrl.pathname}${callbackUrl.search}`, { headers: { Cookie: cookie } });

/**
 * Runs the complete flow: authorize, the pages of the provider, callback.
 *
 * @returns the final redirect URL
 */
export async function signInBy(test: TestApi, provider: string, query: Record<string, string>): Promise<URL> {
  const { url, cookie } = await begin(test, { provider, ...query });
  const response = await openCallback(test, await followRedirects(url, callback), cookie);
  expect(response.status).toBe(302);
  return new URL(readLocation(response));
}

interface StartedLink {
  /** Response of the callback. */
  readonly response: Response;
  readonly cookie: string;
  /** One-time URL of the service. */
  readonly confirmUrl: URL;
}

/** Starts linking as the client does, up to the response of the callback. */
export async function beginLinking(test: TestApi, bearer: string, query: string): Promise<StartedLink> {
  const { json } = await createAuthRequester(test)('GET', `/user/identities/authorize?${query}`, { bearer });
  const confirmUrl = new URL(String(json['url']));
  expect(confirmUrl.origin + confirmUrl.pathname).toBe(`${siteUrl}/auth/v1/authorize/continue`);
  const start = await test.request(confirmUrl.href);
  const cookie = readCookie(start);
  const response = await openCallback(test, await followRedirects(readLocation(start), callback), cookie);
  return { response, cookie, confirmUrl };
}

/** Clicks the button of the callback page. */
export const confirmLink = (test: TestApi, page: string, cookie: string, link = 'yes'): Promise<Response> =>
  test.request('/auth/v1/callback/confirm', {
    method: 'POST',
    headers: { Cookie: cookie },
    body: new URLSearchParams({ token: /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '', link }),
  });
