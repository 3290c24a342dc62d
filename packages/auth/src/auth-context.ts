/** Dependencies of the endpoints of the Auth API. */
import type { Logger } from 'pino';
import type { PasswordHasher } from './passwords/hasher.ts';
import type { Captcha } from './http/captcha.ts';
import type { AuthHooks, AuthMailer, SmsSender } from './ports.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { OAuthProviders } from './oauth-providers.ts';
import type { SessionContext } from './sessions/sessions.ts';
import type { TokenVerifier } from './sessions/token-verifier.ts';

export interface AuthContext extends SessionContext {
  readonly hasher: PasswordHasher;
  readonly mailer: AuthMailer;
  readonly hooks: AuthHooks;
  readonly verifier: TokenVerifier;
  readonly limits: RateLimits;
  readonly captcha: Captcha;
  readonly sms: SmsSender | null;
  readonly providers: OAuthProviders;
  readonly log: Logger;
}
