/** Settings of the Auth API, keyed by the names of the environment variables. They are parsed from text. */
import { flag, integer, list } from '@lanternrock/postgres/setting-formats';
import * as z from 'zod';
import { compileRedirectPattern } from './redirect-pattern.ts';

const text = z.string().default('');

/** Commas within braces are part of a pattern. */
const redirectPatterns = z
  .string()
  .transform((patterns) =>
    patterns
      .split(/,(?![^{]*\})/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .refine(
    (patterns) => patterns.every((pattern) => !/\s/.test(pattern)),
    'must be separated by commas and contain no spaces',
  )
  .refine(
    areRedirectPatterns,
    'must be valid patterns (balanced braces, ascending ranges, at most two ** in a path)',
  )
  .meta({ values: 'list of patterns' });

function areRedirectPatterns(patterns: readonly string[]): boolean {
  try {
    patterns.forEach(compileRedirectPattern);
    return true;
  } catch {
    return false;
  }
}

const year = 31_536_000;
const seconds = integer(1, year);
const secondsOrZero = integer(0, year);

/**
 * Metadata: `about` describes the setting for the reference; `compat` is the default with `PROFILE=compat`; the value of
 * a `secret` can also come from a file, and is not printed.
 */
export const authSettings = z.object({
  RESEND_COOLDOWN: integer(0, 86_400).default(30).meta({
    about:
      'Minimum seconds between two messages of the same kind to one user, such as resends of an invitation.',
    compat: 1,
  }),
  INVITATION_TTL: seconds.default(604_800).meta({
    about: 'Lifetime of an invitation without a chosen expiry, in seconds.',
  }),
  RECOVERY_TTL: seconds.default(3600).meta({ about: 'Lifetime of a recovery link, in seconds.' }),
  OTP_TTL: seconds.default(3600).meta({
    about: 'Lifetime of other links, and of codes except those of second factors, in seconds.',
  }),
  ENFORCE_API_KEY: flag.default(false).meta({ about: 'on: reject requests without a valid API key.' }),
  ACCESS_TOKEN_TTL: integer(5, 604_800)
    .default(3600)
    .meta({ about: 'Lifetime of an access token, in seconds.' }),
  JWT_ISSUER: text
    .refine((issuer) => !/\s/.test(issuer), 'must contain no spaces')
    .meta({ about: 'Claim iss; default SITE_URL/auth/v1.' }),
  REFRESH_REUSE_INTERVAL: integer(0, 300).default(10).meta({
    about: 'Seconds during which older refresh tokens return the active one; the previous token always does.',
  }),
  SESSION_TIMEBOX: secondsOrZero
    .default(2_592_000)
    .meta({ about: 'Seconds after which a session expires; 0: never.', compat: 0 }),
  SESSION_INACTIVITY: secondsOrZero
    .default(604_800)
    .meta({ about: 'Seconds of inactivity after which a session expires; 0: never.', compat: 0 }),
  SESSION_SINGLE: flag.default(false).meta({ about: "on: a new sign-in revokes the user's older sessions." }),
  SESSION_LOW_AAL: secondsOrZero.default(0).meta({
    about: 'Seconds that a user with a second factor may stay at AAL1; 0: no limit.',
  }),
  PASSWORD_MIN_LENGTH: integer(6, 72)
    .default(8)
    .meta({ about: 'Minimum length of a new password, in code points.', compat: 6 }),
  SIGNUP: flag.default(false).meta({ about: 'on: anyone can sign up.', compat: true }),
  AUTOCONFIRM: flag
    .default(false)
    .meta({ about: 'on: emails are confirmed at sign-up without a link.', compat: true }),
  PHONE: flag.default(false).meta({ about: 'on: sign-in and second factors by phone.', compat: true }),
  ANONYMOUS: flag.default(false).meta({ about: 'on: anonymous sign-in.', compat: true }),
  PASSKEYS: flag.default(true).meta({ about: 'on: passkeys and WebAuthn factors.', compat: true }),
  PASSKEY_AAL2: flag.default(true).meta({
    about:
      'on: signing in with a passkey that verifies the user (PIN or biometrics) counts as two factors; see docs/security.md.',
    compat: false,
  }),
  TEST_OTPS: list.default([]).meta({
    about: 'Codes that always verify for these phone numbers; for compatibility tests only.',
    values: 'list of `PHONE=CODE`',
  }),
  MANUAL_LINKING: flag
    .default(true)
    .meta({ about: 'on: users can link and unlink identities.', compat: true }),
  REDIRECT_URLS: redirectPatterns.default([]).meta({
    about:
      'Allowed redirect URLs in addition to SITE_URL; patterns with *, **, ?, [a-z], [!a-z] and {one,two}.',
  }),
  OAUTH_PROVIDERS_FILE: text.meta({ about: 'JSON file with OAuth and OIDC providers.', values: 'path' }),
  CAPTCHA_VERIFY_URL: z
    .string()
    .refine(
      (url) => /^https?:\/\/[^\s\\#@]+$/i.test(url) && URL.canParse(url),
      'must be a URL such as https://example.org/verify, without user and fragment',
    )
    .default('')
    .meta({ about: 'siteverify URL of hCaptcha or Turnstile.', values: '`http(s)://HOST/PATH`' }),
  CAPTCHA_SECRET: text.meta({ about: 'Secret of the captcha provider.', secret: true }),
  AUTH_TIMEOUT: integer(100, 600_000)
    .default(10_000)
    .meta({ about: 'Maximum response time of the Auth API, in ms.' }),
  AUDIT_RETENTION: integer(1, 36_500).default(365).meta({ about: 'Days to keep audit log entries.' }),
  RATE_LIMITS: flag.default(true).meta({
    about:
      'Rate limits per session, user and IP address; the numbers are fixed (`packages/auth/src/http/rate-limits.ts`).',
    compat: false,
  }),
});

/** Settings of the keys. A key that is not set is generated once and stored. */
export const keySettings = z.object({
  SIGNING_KEYS: text.meta({
    about: 'Keys of access tokens: one private key signs, the others verify; unset: generated once.',
    secret: true,
    values: 'JWK set',
  }),
  SECRETS_KEY: text.meta({
    about:
      'Encrypts keys and factor secrets. Required with DATABASE_URL; `openssl rand -base64 32` creates one.',
    secret: true,
    values: '32 bytes in base64 or base64url',
  }),
  ANON_KEY: text.meta({ about: 'Publishable API key; unset: generated once.' }),
  SERVICE_ROLE_KEY: text.meta({
    about: 'Secret API key for trusted programs; unset: generated once.',
    secret: true,
  }),
});

export interface AuthSettings extends Readonly<z.output<typeof authSettings>> {
  /** Public URL of the instance, used in emails and redirects. */
  readonly SITE_URL: string;
  /** Name of the product, for pages, `/health` and the WebAuthn relying party. */
  readonly PRODUCT_NAME: string;
  /** Lower-case words besides PRODUCT_NAME that an attacker would try first as passwords. */
  readonly PASSWORD_WORDS?: readonly string[];
  /** `compat`: behaves like Supabase Auth where the strict profile restricts more. */
  readonly PROFILE: 'strict' | 'compat';
  /** Maximum size of a request body, in bytes. */
  readonly BODY_LIMIT: number;
}

export type PasskeySettings = Pick<AuthSettings, 'PASSKEYS' | 'PASSKEY_AAL2'>;

/** Returns true if a sign-in with a passkey that verifies the user has AAL2. */
export const passkeysGiveAal2 = ({ PASSKEYS, PASSKEY_AAL2 }: PasskeySettings): boolean =>
  PASSKEYS && PASSKEY_AAL2;

/** The settings that have a default value. */
export const defaultAuthSettings: Omit<AuthSettings, 'SITE_URL' | 'PRODUCT_NAME'> = {
  ...authSettings.parse({}),
  PROFILE: 'strict',
  BODY_LIMIT: 1_048_576,
};

export interface KeySettings extends Readonly<z.output<typeof keySettings>> {
  /** Directory of the key files, for an embedded or unmanaged database. */
  readonly DATA_DIR: string;
  /** Not empty for an external Postgres, which stores the generated keys. */
  readonly DATABASE_URL: string;
  /** False for an unmanaged database, which has no table for keys. */
  readonly MIGRATE: boolean;
}
