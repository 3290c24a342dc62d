/** Creates the Auth API: its context, routes and error handling. */
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { AuthSettings } from './settings.ts';
import type { Authenticate } from './auth-types.ts';
import type { Keys } from './keys/keys.ts';
import type { PasswordHasher } from './passwords/hasher.ts';
import { toAuthErrorResponse } from './http/error-response.ts';
import type { AuthContext } from './auth-context.ts';
import type { AuthEnv, ClientInfo } from './client-info.ts';
import { createCaptcha } from './http/captcha.ts';
import { requestTimeout, requireAudience } from './http/middleware.ts';
import { requireUser, type UserRequest } from './endpoint/require-user.ts';
import { createAuthenticate } from './sessions/authenticate.ts';
import { addRoutes } from './endpoints.ts';
import { noHooks, type AuthHooks, type AuthMailer, type SmsSender } from './ports.ts';
import { notifyOfFailures } from './failure-notices.ts';
import type { Window } from './http/rate-limit-counters.ts';
import { createRateLimits, limitedClient, type LimitedClient } from './http/rate-limits.ts';
import type { OAuthProviders } from './oauth-providers.ts';
import { requireFresh } from './endpoint/step-up.ts';
import { purgeExpired } from './purge.ts';
import { createTokenVerifier } from './sessions/token-verifier.ts';

export { AuthError } from './auth-error.ts';
export { maxUserAgentLength, type ClientInfo } from './client-info.ts';
export type { Authenticate, HeaderReader, Principal } from './auth-types.ts';
export { toClientNetwork } from './client-network.ts';
export { readProviders } from './oauth-providers.ts';
export { createHasher, type PasswordHasher } from './passwords/hasher.ts';

export interface AuthServiceOptions {
  readonly config: AuthSettings;
  readonly database: Database;
  readonly keys: Keys;
  readonly hasher: PasswordHasher;
  readonly mailer: AuthMailer;
  readonly hooks?: AuthHooks;
  readonly providers: OAuthProviders;
  readonly log: Logger;
  readonly clock: DatabaseClock;
  /** Sends text messages. Without it, phone sign-in fails with "Unsupported phone provider". */
  readonly sms?: SmsSender;
}

export interface AuthService {
  /** Responds to a request at `/auth/v1/*`. */
  handle(request: Request, client: ClientInfo): Promise<Response>;
  /** Authenticates requests of the Data API and the Functions API. */
  readonly authenticate: Authenticate;
  /**
   * Requires a fresh session for a function, as the Auth API does.
   *
   * @param change the action of the user, for the message
   * @throws AuthError 400 `reauthentication_needed`
   */
  requireFresh(request: UserRequest, change: string): Promise<void>;
  /**
   * Counts a request in a window of the product, per session and per user, unless rate limits are off.
   *
   * @throws AuthError 429
   */
  limitUser(window: Window, client: LimitedClient): Promise<void>;
  /**
   * Counts several units of a user in a window of the product, unless rate limits are off.
   *
   * @returns seconds until the window ends if its limit is exceeded, otherwise 0
   */
  countForUser(window: Window, userId: string, count: number): Promise<number>;
  /** Deletes expired one-time tokens, challenges, flows, sessions and rate limits. */
  purge(): Promise<void>;
}

export function createAuthService(options: AuthServiceOptions): AuthService {
  const { config, database, keys, hasher, mailer, hooks = noHooks, providers, log, clock, sms } = options;
  const now = clock.read;
  const verifier = createTokenVerifier({ config, keys, now: clock.estimate });
  const context: AuthContext = {
    config,
    database,
    keys,
    hasher,
    mailer,
    hooks,
    verifier,
    limits: createRateLimits({
      database,
      config,
      clock,
      log,
      onFailures: notifyOfFailures({ database, mailer, now }),
    }),
    captcha: createCaptcha(config),
    sms: sms ?? null,
    providers,
    now,
    log,
  };
  const routes = new Hono<AuthEnv>().basePath('/auth/v1');
  routes.use(async (c, next) => {
    await next();
    // Responses contain personal data and tokens.
    if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store');
  });
  routes.use(requestTimeout(config.AUTH_TIMEOUT), requireAudience);
  routes.onError((error, c) => toAuthErrorResponse(c, error, log));
  addRoutes(routes, context);
  return {
    handle: async (request, client) => routes.fetch(request, { client }),
    authenticate: createAuthenticate({ config, keys, verifier }),
    requireFresh: async (request, change) => {
      const signedIn = await requireUser(request, context);
      const counted = limitedClient(request.client, signedIn);
      await context.limits.limitRejections(counted, () => requireFresh(context, signedIn, change));
    },
    limitUser: (window, client) => context.limits.consumeWindow(window, client),
    countForUser: (window, userId, count) => context.limits.countInWindow(window, userId, count),
    purge: async () => purgeExpired(database, config, await now(database)),
  };
}
