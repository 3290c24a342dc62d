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
import { limitBody } from '../body-limit.ts';
import { listAudit } from './admin/audit-log.ts';
import {
  deleteFactor,
  deleteUserPasskey,
  listFactors,
  listUserPasskeys,
  putFactor,
} from './admin/factors.ts';
import { generateLink, invite } from './admin/links.ts';
import { deleteUser, getUserById, listUsers, postUser, putUser } from './admin/users.ts';
import { answerError } from './answer-error.ts';
import type { AuthContext } from './auth-context.ts';
import { createCaptcha } from './captcha.ts';
import {
  customProvidersDisabled,
  oauthServerDisabled,
  scimDisabled,
  ssoDisabled,
  web3Disabled,
} from './disabled.ts';
import { deadline, oneAudience } from './every-request.ts';
import { challengeFactor } from './factors/challenge.ts';
import { enrolFactor, unenrolFactor } from './factors/enrol.ts';
import {
  createRecoveryCodes,
  deleteRecoveryCodes,
  regenerateRecoveryCodes,
  showRecoveryCodes,
  verifyRecoveryCode,
} from './factors/recovery-codes.ts';
import { verifyFactor } from './factors/verify-factor.ts';
import { pkceGrant } from './one-time/pkce-grant.ts';
import { createIdentify } from './sessions/identify.ts';
import { createLimits } from './limits.ts';
import { logout } from './sessions/logout.ts';
import { authorize, authorizeLinking } from './oauth/authorize.ts';
import { callback } from './oauth/callback.ts';
import { idTokenGrant } from './oauth/id-token-grant.ts';
import type { OAuthProviders } from './oauth/providers.ts';
import { unlinkIdentity } from './oauth/unlink.ts';
import { otp } from './links/otp.ts';
import { authenticationOptions, authenticationVerify } from './passkeys/authentication.ts';
import {
  deletePasskey,
  listPasskeys,
  registrationOptions,
  registrationVerify,
  renamePasskey,
} from './passkeys/registration.ts';
import { passwordGrant } from './sessions/password-grant.ts';
import { recover } from './links/recover.ts';
import { refreshGrant } from './sessions/refresh-grant.ts';
import { reauthenticate, resend } from './links/resend.ts';
import { endSession, listSessions } from './sessions/session-list.ts';
import { health, jwks, openidConfiguration, settings } from './settings-endpoint.ts';
import { signUp } from './links/signup.ts';
import { sweep } from './sweep.ts';
import type { SmsSender } from './phone/sms-sender.ts';
import { createTokenVerifier } from './sessions/token-verifier.ts';
import { getUser, updateUser } from './own-user/user-endpoint.ts';
import { isFormPost, verifyForm, verifyPage } from './links/verify-page.ts';
import { verify } from './links/verify.ts';

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
  /** Removes what has ended: codes, challenges, sign-ins in progress, sessions, counters. */
  sweep(): Promise<void>;
}

type Endpoint = (c: Context<AppEnv>, context: AuthContext) => Promise<Response>;

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
    limits: createLimits(database, config, now),
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
  const tooLarge = new Refusal(
    413,
    'request_entity_too_large',
    `The request body is larger than ${config.BODY_LIMIT} bytes`,
  );
  routes.use(limitBody(config.BODY_LIMIT, (c) => answerError(c, tooLarge, log)));
  routes.onError((error, c) => answerError(c, error, log));
  for (const [method, path, endpoint] of endpoints) {
    routes.on(method, path, (c) => endpoint(c, context));
  }
  routes.all('*', (c) => answerError(c, unknownRoute(c), log));
  return {
    routes,
    identify: createIdentify({ config, keys, verifier }),
    sweep: () => sweep(database, config, now()),
  };
}

const grants: Record<string, Endpoint> = {
  password: passwordGrant,
  refresh_token: refreshGrant,
  pkce: pkceGrant,
  id_token: idTokenGrant,
  web3: web3Disabled,
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
  ['POST', '/signup', signUp],
  ['POST', '/otp', otp],
  ['POST', '/magiclink', otp],
  ['POST', '/resend', resend],
  ['GET', '/reauthenticate', reauthenticate],

  ['GET', '/authorize', authorize],
  ['GET', '/callback', callback],
  ['POST', '/callback', callback],
  ['GET', '/user/identities/authorize', authorizeLinking],
  ['DELETE', '/user/identities/:id', unlinkIdentity],
  ['GET', '/user/sessions', listSessions],
  ['DELETE', '/user/sessions/:id', endSession],

  // Before the paths with a factor's id.
  ['GET', '/factors/recovery-codes', showRecoveryCodes],
  ['POST', '/factors/recovery-codes', createRecoveryCodes],
  ['POST', '/factors/recovery-codes/verify', verifyRecoveryCode],
  ['POST', '/factors/recovery-codes/regenerate', regenerateRecoveryCodes],
  ['DELETE', '/factors/recovery-codes', deleteRecoveryCodes],
  ['POST', '/factors', enrolFactor],
  ['POST', '/factors/:id/challenge', challengeFactor],
  ['POST', '/factors/:id/verify', verifyFactor],
  ['DELETE', '/factors/:id', unenrolFactor],

  ['POST', '/passkeys/registration/options', registrationOptions],
  ['POST', '/passkeys/registration/verify', registrationVerify],
  ['POST', '/passkeys/authentication/options', authenticationOptions],
  ['POST', '/passkeys/authentication/verify', authenticationVerify],
  ['GET', '/passkeys', listPasskeys],
  ['PATCH', '/passkeys/:id', renamePasskey],
  ['DELETE', '/passkeys/:id', deletePasskey],

  ['POST', '/invite', invite],
  ['POST', '/admin/generate_link', generateLink],
  ['GET', '/admin/users', listUsers],
  ['POST', '/admin/users', postUser],
  ['GET', '/admin/users/:id', getUserById],
  ['PUT', '/admin/users/:id', putUser],
  ['DELETE', '/admin/users/:id', deleteUser],
  ['GET', '/admin/users/:id/factors', listFactors],
  ['PUT', '/admin/users/:id/factors/:factorId', putFactor],
  ['DELETE', '/admin/users/:id/factors/:factorId', deleteFactor],
  ['GET', '/admin/users/:id/passkeys', listUserPasskeys],
  ['DELETE', '/admin/users/:id/passkeys/:passkeyId', deleteUserPasskey],
  ['GET', '/admin/audit', listAudit],

  ['POST', '/sso', ssoDisabled],
  ['ALL', '/admin/oauth/*', oauthServerDisabled],
  ['ALL', '/oauth/*', oauthServerDisabled],
  ['ALL', '/user/oauth/*', oauthServerDisabled],
  ['ALL', '/admin/custom-providers', customProvidersDisabled],
  ['ALL', '/admin/custom-providers/*', customProvidersDisabled],
  ['ALL', '/scim/v2/*', scimDisabled],

  ['GET', '/settings', settings],
  ['GET', '/health', (c) => health(c)],
  ['GET', '/.well-known/jwks.json', jwks],
  ['GET', '/.well-known/openid-configuration', openidConfiguration],
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
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(':') || part === given[index])
  );
};
