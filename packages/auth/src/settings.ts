/** Settings of the Auth API. The names are those of the environment variables in docs/configuration.md. */
export interface AuthSettings {
  /** Public URL of the instance, used in emails and redirects. */
  readonly SITE_URL: string;
  /** Name of the product, for pages and the WebAuthn relying party. */
  readonly PRODUCT_NAME: string;
  /** `compat`: behaves like Supabase Auth where the strict profile restricts more. */
  readonly PROFILE: 'strict' | 'compat';
  /** Allowed redirect URLs in addition to SITE_URL, as patterns. */
  readonly REDIRECT_URLS: readonly string[];
  /** Claim `iss` of access tokens. */
  readonly JWT_ISSUER: string;
  /** Lifetime of an access token, in seconds. */
  readonly ACCESS_TOKEN_TTL: number;
  /** Seconds during which the previous refresh token still returns the active one. */
  readonly REFRESH_REUSE_INTERVAL: number;
  /** Seconds after which a session expires; 0: never. */
  readonly SESSION_TIMEBOX: number;
  /** Seconds of inactivity after which a session expires; 0: never. */
  readonly SESSION_INACTIVITY: number;
  /** A new sign-in revokes the older sessions of the user. */
  readonly SESSION_SINGLE: boolean;
  /** Seconds that a user with a second factor may stay at AAL1; 0: no limit. */
  readonly SESSION_LOW_AAL: number;
  /** Minimum length of a new password, in code points. */
  readonly PASSWORD_MIN_LENGTH: number;
  /** Anyone can sign up. */
  readonly SIGNUP: boolean;
  /** Emails are confirmed at sign-up without a link. */
  readonly AUTOCONFIRM: boolean;
  /** Sign-in and second factors by phone. */
  readonly PHONE: boolean;
  /** Anonymous sign-in. */
  readonly ANONYMOUS: boolean;
  /** Passkeys and WebAuthn factors. */
  readonly PASSKEYS: boolean;
  /** Users can link and unlink identities. */
  readonly MANUAL_LINKING: boolean;
  /** `phone=code` pairs that always verify, for tests. */
  readonly TEST_OTPS: readonly string[];
  /** Lifetime of a link of type `invite`, in seconds. */
  readonly INVITATION_TTL: number;
  /** Lifetime of a recovery link, in seconds. */
  readonly RECOVERY_TTL: number;
  /** Lifetime of other email links and codes, in seconds. */
  readonly OTP_TTL: number;
  /** Seconds between two emails or text messages to one recipient. */
  readonly RESEND_COOLDOWN: number;
  /** `siteverify` URL of hCaptcha or Turnstile, and its secret; both empty: no captcha. */
  readonly CAPTCHA_VERIFY_URL: string;
  readonly CAPTCHA_SECRET: string;
  /** Rejects requests without a valid API key. */
  readonly ENFORCE_API_KEY: boolean;
  /** Rate limits per user and per IP address. */
  readonly RATE_LIMITS: boolean;
  /** Maximum response time, in milliseconds. */
  readonly AUTH_TIMEOUT: number;
  /** Maximum size of a request body, in bytes. */
  readonly BODY_LIMIT: number;
  /** Days to keep audit log entries. */
  readonly AUDIT_RETENTION: number;
}

/** The settings that have a default value. */
export const defaultAuthSettings: Omit<AuthSettings, 'SITE_URL' | 'PRODUCT_NAME' | 'JWT_ISSUER'> = {
  PROFILE: 'strict',
  REDIRECT_URLS: [],
  ACCESS_TOKEN_TTL: 3600,
  REFRESH_REUSE_INTERVAL: 10,
  SESSION_TIMEBOX: 2_592_000,
  SESSION_INACTIVITY: 604_800,
  SESSION_SINGLE: false,
  SESSION_LOW_AAL: 0,
  PASSWORD_MIN_LENGTH: 8,
  SIGNUP: false,
  AUTOCONFIRM: false,
  PHONE: false,
  ANONYMOUS: false,
  PASSKEYS: true,
  MANUAL_LINKING: true,
  TEST_OTPS: [],
  INVITATION_TTL: 604_800,
  RECOVERY_TTL: 3600,
  OTP_TTL: 3600,
  RESEND_COOLDOWN: 30,
  CAPTCHA_VERIFY_URL: '',
  CAPTCHA_SECRET: '',
  ENFORCE_API_KEY: false,
  RATE_LIMITS: true,
  AUTH_TIMEOUT: 10_000,
  BODY_LIMIT: 1_048_576,
  AUDIT_RETENTION: 365,
};

/** Settings of the keys; an empty key is generated once and stored. */
export interface KeySettings {
  /** JWK set of the signing keys. */
  readonly SIGNING_KEYS: string;
  /** Encrypts keys and factor secrets: 32 bytes, base64url. Required with DATABASE_URL. */
  readonly SECRETS_KEY: string;
  /** Publishable API key. */
  readonly ANON_KEY: string;
  /** Secret API key. */
  readonly SERVICE_ROLE_KEY: string;
  /** Directory of the key files, for an embedded or unmanaged database. */
  readonly DATA_DIR: string;
  /** Not empty for an external Postgres, which stores the generated keys. */
  readonly DATABASE_URL: string;
  /** False for an unmanaged database, which has no table for keys. */
  readonly MIGRATE: boolean;
}
