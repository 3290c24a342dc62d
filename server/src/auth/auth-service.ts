/** The auth service: every endpoint in one table, one way of answering errors. */
import { Hono, type Context } from 'hono';
import type { Logger } from 'pino';
import type { AppEnv } from '../app-env.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Identify } from '../identity.ts';
import type { Keys } from '../keys/keys.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { PasswordHasher } from '../passwords/hasher.ts';
import { resetFactors, type FactorReset } from './admin/reset-factors.ts';
import { answerError } from './answer-error.ts';
import type { AuthContext } from './auth-context.ts';
import { createCaptcha } from './captcha.ts';
import { deadline, oneAudience } from './every-request.ts';
import { requirePerson } from './sessions/bearer.ts';
import { createIdentify } from './sessions/identify.ts';
import { addRoutes } from './endpoints.ts';
import { notifyOfFailures } from './failure-notices.ts';
import { createLimits } from './limits.ts';
import type { OAuthProviders } from './oauth/providers.ts';
import { requireFresh } from './step-up.ts';
import { sweep } from './sweep.ts';
import type { SmsSender } from './phone/sms-sender.ts';
import { createTokenVerifier } from './sessions/token-verifier.ts';

export interface AuthServiceParts {
  readonly config: Config;
  readonly database: Database;
  readonly keys: Keys;
  readonly hasher: PasswordHasher;
  readonly outbox: Pick<Outbox, 'enqueue' | 'wake'>;
  readonly providers: OAuthProviders;
  readonly log: Logger;
  readonly now: () => Date;
  /** How text messages leave; without one, phone sign-in answers "Unsupported phone provider". */
  readonly sms?: SmsSender;
}

export interface AuthService {
  /** Mounted at `/auth/v1`. */
  readonly routes: Hono<AppEnv>;
  /** Who asks, for the data interface and the functions. */
  readonly identify: Identify;
  /**
   * Step-up for functions, by the rule of the Auth API.
   * @param change what the user wants to do, for the message
   * @throws Refusal 400 `reauthentication_needed`
   */
  requireFresh(c: Context<AppEnv>, change: string): Promise<void>;
  /** @throws Refusal 403 `own_second_factor`, 404 `no_second_factor` */
  resetFactors(reset: FactorReset): Promise<void>;
  /** Removes what has ended: codes, challenges, sign-ins in progress, sessions, counters. */
  sweep(): Promise<void>;
}

export function createAuthService(parts: AuthServiceParts): AuthService {
  const { config, database, keys, hasher, outbox, providers, log, now, sms } = parts;
  const verifier = createTokenVerifier({ config, keys, now });
  const context: AuthContext = {
    config,
    database,
    keys,
    hasher,
    outbox,
    verifier,
    limits: createLimits({ database, config, now, log, onFailures: notifyOfFailures({ database, outbox }) }),
    captcha: createCaptcha(config),
    sms: sms ?? null,
    providers,
    now,
    log,
  };
  const routes = new Hono<AppEnv>();
  routes.use(async (c, next) => {
    await next();
    // Whatever tells about a person or carries a token stays out of caches.
    if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store');
  });
  routes.use(deadline(config.AUTH_TIMEOUT), oneAudience);
  routes.onError((error, c) => answerError(c, error, log));
  addRoutes(routes, context);
  return {
    routes,
    identify: createIdentify({ config, keys, verifier }),
    requireFresh: async (c, change) => requireFresh(context, await requirePerson(c, context), change),
    resetFactors: (reset) => resetFactors(context, reset),
    sweep: () => sweep(database, config, now()),
  };
}
