/** Dependencies of the endpoints of the Auth API, and the client of a request. */
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { AuthSettings } from './settings.ts';
import type { Keys } from './keys/keys.ts';
import type { PasswordHasher } from './passwords/hasher.ts';
import type { Captcha } from './http/captcha.ts';
import type { AuthHooks, AuthMailer, SmsSender } from './ports.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { OAuthProviders } from './oauth/providers.ts';
import type { TokenVerifier } from './sessions/token-verifier.ts';

export interface AuthContext {
  readonly config: AuthSettings;
  readonly database: Database;
  readonly keys: Keys;
  readonly hasher: PasswordHasher;
  readonly mailer: AuthMailer;
  readonly hooks: AuthHooks;
  readonly verifier: TokenVerifier;
  readonly limits: RateLimits;
  readonly captcha: Captcha;
  readonly sms: SmsSender | null;
  readonly providers: OAuthProviders;
  /** The clock of the database. */
  readonly now: DatabaseClock['read'];
  readonly log: Logger;
}

/** The client of a request, as stored with sessions and audit log entries. */
export interface ClientInfo {
  /** '' if unknown. */
  readonly ip: string;
  readonly userAgent: string | null;
  readonly requestId: string;
  /** Kind of the client, passed to audit triggers as the setting `request.origin`; undefined for the service. */
  readonly origin?: string;
}

/** The Hono environment of the routes: `handle` of the service passes the client with each request. */
export interface AuthEnv {
  Bindings: { readonly client: ClientInfo };
}

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);
