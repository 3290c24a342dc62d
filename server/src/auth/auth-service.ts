/** The auth service: every endpoint in one table, one way of answering errors. */
import { Hono, type Context } from 'hono';
import type { Logger } from 'pino';
import type { AppEnv } from '../app-env.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { Refusal } from '../errors.ts';
import type { Identify } from '../identity.ts';
import type { Keys } from '../keys/keys.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { PasswordHasher } from '../passwords/hasher.ts';
import { answerError } from './answer-error.ts';
import type { AuthContext } from './auth-context.ts';
import { createCaptcha } from './captcha.ts';
import { pkceGrant } from './flow-state.ts';
import { createIdentify } from './identify.ts';
import { createLimits } from './limits.ts';
import { logout } from './logout.ts';
import { noProviders, type OAuthProviders } from './oauth/providers.ts';
import { passwordGrant } from './password-grant.ts';
import { recover } from './recover.ts';
import { refreshGrant } from './refresh-grant.ts';
import { health, jwks, settings } from './settings-endpoint.ts';
import type { SmsSender } from './sms-sender.ts';
import { createTokenVerifier } from './token-verifier.ts';
import { getUser, updateUser } from './user-endpoint.ts';
import { isFormPost, verifyForm, verifyPage } from './verify-page.ts';
import { verify } from './verify.ts';

export interface AuthServiceParts {
  readonly config: Config;
  readonly database: Database;
  readonly keys: Keys;
  readonly hasher: PasswordHasher;
  readonly outbox: Pick<Outbox, 'enqueue' | 'wake'>;
  readonly log: Logger;
  readonly now: () => Date;
  /** How text messages leave; without one, phone sign-in answers "Unsupported phone provider". */
  readonly sms?: SmsSender;
  readonly providers?: OAuthProviders;
}

export interface AuthService {
  /** Mounted at `/auth/v1`. */
  readonly routes: Hono<AppEnv>;
  /** Who asks, for the data interface and the functions. */
  readonly identify: Identify;
}

type Endpoint = (c: Context<AppEnv>, context: AuthContext) => Promise<Response>;

export function createAuthService(parts: AuthServiceParts): AuthService {
  const { config, database, keys, hasher, outbox, log, now, sms, providers } = parts;
  const verifier = createTokenVerifier({ config, keys, now });
  const context: AuthContext = {
    config,
    database,
    keys,
    hasher,
    outbox,
    verifier,
    limits: createLimits(database, config, now),
    captcha: createCaptcha(config),
    sms: sms ?? null,
    providers: providers ?? noProviders,
    now,
    log,
  };
  const routes = new Hono<AppEnv>();
  routes.onError((error, c) => answerError(c, error, log));
  for (const [method, path, endpoint] of endpoints) {
    routes.on(method, path, (c) => endpoint(c, context));
  }
  routes.all('*', (c) => answerError(c, unknownRoute(c), log));
  return { routes, identify: createIdentify({ config, keys, verifier }) };
}

const grants: Record<string, Endpoint> = {
  password: passwordGrant,
  refresh_token: refreshGrant,
  pkce: pkceGrant,
};

const token: Endpoint = (c, context) => {
  const names = c.req.queries('grant_type') ?? [];
  const [name = ''] = names;
  const grant = names.length === 1 && Object.hasOwn(grants, name) ? grants[name] : undefined;
  if (!grant) throw new Refusal(400, 'invalid_credentials', 'unsupported_grant_type');
  return grant(c, context);
};

const endpoints: readonly (readonly [method: string, path: string, endpoint: Endpoint])[] = [
  ['POST', '/token', token],
  ['GET', '/user', getUser],
  ['PUT', '/user', updateUser],
  ['POST', '/logout', logout],
  ['POST', '/recover', recover],
  ['GET', '/verify', verifyPage],
  ['POST', '/verify', (c, context) => (isFormPost(c) ? verifyForm(c, context) : verify(c, context))],
  ['GET', '/settings', settings],
  ['GET', '/health', (c) => health(c)],
  ['GET', '/.well-known/jwks.json', jwks],
];

/** 405 where only the method is wrong, else 404; both as JSON. */
function unknownRoute(c: Context<AppEnv>): Refusal {
  const path = c.req.path.replace(/^.*?\/auth\/v1(?=\/)/, '');
  const allowed = endpoints.filter(([, pattern]) => matches(pattern, path)).map(([method]) => method);
  if (allowed.length === 0) return new Refusal(404, 'not_found', 'There is nothing at this address');
  const headers = { Allow: allowed.join(', ') };
  return new Refusal(405, 'method_not_allowed', `This address takes ${allowed.join(', ')}`, { headers });
}

const matches = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(':') || part === given[index]);
};
