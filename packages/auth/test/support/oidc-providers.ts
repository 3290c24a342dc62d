/**
 * Sign-in providers on loopback: an OpenID provider, an issuer of id_tokens only, and a plain OAuth 2
 * provider.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import * as jose from 'jose';
import Provider from 'oidc-provider';
import { MemoryAdapter } from './oidc-adapter.ts';

export interface ProviderServer {
  /** URL of the provider, and its issuer. */
  readonly url: string;
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(handlerFor: (url: string) => Promise<Handler> | Handler): Promise<ProviderServer> {
  let handler: Handler = (_request, response) => response.writeHead(503).end();
  const server: Server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${bound.port}`;
  handler = await handlerFor(url);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const clientId = 'lanternrock';
export const clientSecret = 'a client secret of the test provider';

/**
 * Starts an OpenID provider. The `login_hint` of a request selects the user; `users` contains their claims.
 */
export async function startOpenIdProvider(
  users: ReadonlyMap<string, Record<string, unknown>>,
  redirectUri: string,
): Promise<ProviderServer> {
  const { privateKey } = await jose.generateKeyPair('RS256', { extractable: true });
  const signingKey = { ...(await jose.exportJWK(privateKey)), use: 'sig' };
  return listen((issuer) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      // The provider logs a notice for each default that it uses.
      adapter: MemoryAdapter,
      jwks: { keys: [signingKey] },
      findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...users.get(id) }) }),
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      cookies: { keys: ['test secret'] },
      // Seconds.
      ttl: { AccessToken: 300, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
    });
    const answer = provider.callback();
    return (request, response) => {
      if (!request.url?.startsWith('/interaction/')) {
        void answer(request, response);
        return;
      }
      void interact(provider, request, response);
    };
  });
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (params['login_hint'] === 'rejects') {
    const accessDenied = { error: 'access_denied', error_description: 'The user denied access' };
    return provider.interactionFinished(request, response, accessDenied);
  }
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, {
      login: { accountId: String(params['login_hint']) },
    });
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId });
  grant.addOIDCScope(String(params['scope']));
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** The final redirect of the provider, with the form fields of response mode `form_post`. */
interface SentBack extends URL {
  form?: URLSearchParams;
}

/** Follows the pages of the provider as a browser does. */
export async function followRedirects(start: string, finalUrl: string): Promise<SentBack> {
  const jar = new Map<string, string>();
  let current = new URL(start);
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(current, { redirect: 'manual', headers: { Cookie: cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('Location');
    if (!location) {
      const page = await response.text();
      const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1];
      if (!action) throw new Error(`the provider returned ${response.status}: ${page}`);
      const fields = [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
      const form = new URLSearchParams(
        fields.map(([, name = '', value = '']): [string, string] => [name, value]),
      );
      return Object.assign(new URL(action), { form });
    }
    current = new URL(location, current);
    if (current.href.startsWith(finalUrl)) return current;
  }
  throw new Error('the provider never redirected the browser back');
}

export interface IdTokenIssuer extends ProviderServer {
  /** OAUTH_PROVIDERS_FILE with this issuer as `apple`. */
  readonly file: string;
  /** Signs an ID token of five minutes for this client. The claims replace the defaults. */
  sign(claims: jose.JWTPayload): Promise<string>;
}

/**
 * Starts an issuer of ID tokens.
 *
 * @param others further providers for the file
 */
export async function startIdTokenIssuer(others: Record<string, object> = {}): Promise<IdTokenIssuer> {
  const { publicKey, privateKey } = await jose.generateKeyPair('ES256');
  const jwk = { ...(await jose.exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const server = await listen((issuer) => (request, response) => {
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer,
        jwks_uri: `${issuer}/jwks`,
        authorization_endpoint: `${issuer}/a`,
        token_endpoint: `${issuer}/t`,
      },
      '/jwks': { keys: [jwk] },
    };
    const document = documents[request.url ?? ''];
    response
      .writeHead(document ? 200 : 404, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(document ?? {}));
  });
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-providers-'));
  const file = path.join(directory, 'providers.json');
  const client = { client_id: clientId, client_secret: clientSecret };
  const apple = { issuer: server.url, additional_client_ids: ['native-app'] };
  const providers = Object.entries({ apple, ...others }).map(([name, one]) => [name, { ...client, ...one }]);
  fs.writeFileSync(file, JSON.stringify(Object.fromEntries(providers)));
  return {
    ...server,
    file,
    sign: (claims) => {
      const iat = Math.floor(Date.now() / 1000);
      const payload = { iss: server.url, aud: clientId, iat, exp: iat + 300, ...claims };
      return new jose.SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey);
    },
    close: async () => {
      await server.close();
      fs.rmSync(directory, { recursive: true });
    },
  };
}

/**
 * Starts an OAuth 2 provider without id_tokens, like GitHub: a numeric ID, and email addresses from a second
 * request.
 */
export function startPlainOAuth(email: string): Promise<ProviderServer> {
  return listen(() => (request, response) => {
    const url = new URL(request.url ?? '', 'http://provider.test');
    const json = (value: unknown): void => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    };
    if (url.pathname === '/authorize') {
      const redirectUri = new URL(url.searchParams.get('redirect_uri') ?? '');
      redirectUri.search = new URLSearchParams({
        code: 'plain-code',
        state: url.searchParams.get('state') ?? '',
      }).toString();
      response.writeHead(302, { Location: redirectUri.href }).end();
    } else if (url.pathname === '/token')
      json({ access_token: 'plain-token', token_type: 'bearer', scope: 'user' });
    else if (request.headers.authorization !== 'Bearer plain-token') response.writeHead(401).end();
    else if (url.pathname === '/user') json({ id: 4711, login: 'octo', name: 'Octo Person', email: null });
    else
      json([
        { email: 'other@example.org', primary: false, verified: true },
        { email, primary: true, verified: true },
      ]);
  });
}
