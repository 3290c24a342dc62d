/**
 * All settings of the service. No other module reads environment variables. docs/configuration.md is generated from
 * this table.
 */
import fs from 'node:fs';
import path from 'node:path';
import { OperationalError } from '@lanternrock/postgres/errors';
import { defaultRestSettings as rest } from '@lanternrock/rest/settings';
import { defaultAuthSettings as auth } from '@lanternrock/auth/settings';
import {
  parseDatabaseUrl,
  parseEmail,
  parseCommaSeparated,
  parseSmtpUrl,
  parseCidrRanges,
  parseInteger,
  parseEnum,
  parseOrigins,
  parseRedirectPatterns,
  parseDnsServers,
  parseSiteUrl,
  parseSwitch,
  parseText,
  parseHttpUrl,
  InvalidSettingError,
} from './formats.ts';

interface Setting<T> {
  /** Default value. */
  readonly fallback: T;
  readonly parse: (text: string) => T;
  /** One or two sentences for the reference, with the unit. */
  readonly description: string;
  /** Default value with `PROFILE=compat`. */
  readonly compat?: T;
  /** True if `NAME_FILE` can contain the path of a file with the value, for secrets of systemd and containers. */
  readonly secret?: true;
}

const setting = <T>(fallback: T, parse: (text: string) => T, description: string, compat?: T): Setting<T> =>
  compat === undefined ? { fallback, parse, description } : { fallback, parse, description, compat };

const secret = <T>(entry: Setting<T>): Setting<T> & { readonly secret: true } => ({ ...entry, secret: true });

const seconds = parseInteger(1, 31_536_000);
const none: readonly string[] = [];

export const settings = {
  HOST: setting('127.0.0.1', parseText, 'IP address to listen on.'),
  PORT: setting(3000, parseInteger(0, 65_535), 'Port to listen on; 0 selects a free port.'),
  SITE_URL: setting(
    '',
    parseSiteUrl,
    'Public URL, used in emails and redirects. Default http://localhost:PORT.',
  ),
  DATA_DIR: setting('./.data', parseText, 'Directory for the embedded database, keys and captured emails.'),
  DATABASE_URL: secret(
    setting('', parseDatabaseUrl, 'External Postgres, 15 or newer; unset: embedded database.'),
  ),
  DATABASE_POOL: setting(
    10,
    parseInteger(1, 200),
    'Maximum connections to Postgres; with 3 or more, fast reads share one of them.',
  ),
  DATABASE_WAIT: setting(10_000, parseInteger(100, 120_000), 'Maximum wait for a free connection, in ms.'),
  MIGRATE: setting(true, parseSwitch, 'off: use an unmanaged database; only /rest/v1 is served.'),
  PRODUCT_NAME: setting('Lanternrock', parseText, 'Product name shown in the console and emails.'),
  ADMIN_EMAIL: setting(
    'admin@example.com',
    parseEmail,
    'Email of the first administrator; used only until an administrator exists.',
  ),
  ADMIN_NAME: setting('Administrator', parseText, 'Full name of the first administrator.'),
  PROFILE: setting(
    auth.PROFILE,
    parseEnum('strict', 'compat'),
    'compat: permissive defaults for compatibility tests.',
  ),

  SMTP_URL: secret(
    setting(
      '',
      parseSmtpUrl,
      'Mail server URL, for example smtps://user:password@mail.example.org; unset: emails are saved in the local mailbox.',
    ),
  ),
  SMTP_TLS: setting(
    'required',
    parseEnum('required', 'optional', 'off'),
    'TLS to the mail server; not required for loopback servers.',
  ),
  MAIL_FROM: setting(
    'no-reply@localhost.localdomain',
    parseEmail,
    'Sender email until one is saved in the console.',
  ),
  MAILS_PER_HOUR: setting(500, parseInteger(1, 1_000_000), 'Maximum emails per hour.', 360_000),
  MAIL_RETENTION: setting(90, parseInteger(1, 3650), 'Days to keep delivery records.'),
  RESEND_COOLDOWN: setting(
    auth.RESEND_COOLDOWN,
    parseInteger(0, 86_400),
    'Seconds between two resends of one invitation.',
    1,
  ),
  INVITATION_TTL: setting(auth.INVITATION_TTL, seconds, 'Lifetime of an invitation, in seconds.'),
  RECOVERY_TTL: setting(auth.RECOVERY_TTL, seconds, 'Lifetime of a recovery link, in seconds.'),
  OTP_TTL: setting(auth.OTP_TTL, seconds, 'Lifetime of other email links and codes, in seconds.'),
  DKIM_DOMAIN: setting('', parseText, 'Domain of the DKIM signature.'),
  DKIM_SELECTOR: setting('', parseText, 'Selector of the DKIM key.'),
  DKIM_KEY_FILE: setting('', parseText, 'File with the DKIM private key in PEM.'),
  DNS_SERVERS: setting(
    none,
    parseDnsServers,
    "DNS servers for the check of the sender's domain, as IP or IP:PORT; unset: those of the system.",
  ),

  SIGNING_KEYS: secret(setting('', parseText, 'JWK set; unset: generated once.')),
  SECRETS_KEY: secret(
    setting(
      '',
      parseText,
      'Encrypts keys and factor secrets; 32 bytes, base64url. Required with DATABASE_URL.',
    ),
  ),
  ANON_KEY: setting('', parseText, 'Publishable API key of the console; unset: generated once.'),
  SERVICE_ROLE_KEY: secret(
    setting('', parseText, 'Secret API key for trusted programs; unset: generated once.'),
  ),
  ENFORCE_API_KEY: setting(auth.ENFORCE_API_KEY, parseSwitch, 'on: reject requests without a valid API key.'),
  ACCESS_TOKEN_TTL: setting(
    auth.ACCESS_TOKEN_TTL,
    parseInteger(5, 604_800),
    'Lifetime of an access token, in seconds.',
  ),
  JWT_ISSUER: setting('', parseText, 'Claim iss; default SITE_URL/auth/v1.'),
  REFRESH_REUSE_INTERVAL: setting(
    auth.REFRESH_REUSE_INTERVAL,
    parseInteger(0, 300),
    'Seconds during which the previous refresh token still returns the active one.',
  ),
  SESSION_TIMEBOX: setting(
    auth.SESSION_TIMEBOX,
    parseInteger(0, 31_536_000),
    'Seconds after which a session expires; 0: never.',
    0,
  ),
  SESSION_INACTIVITY: setting(
    auth.SESSION_INACTIVITY,
    parseInteger(0, 31_536_000),
    'Seconds of inactivity after which a session expires; 0: never.',
    0,
  ),
  SESSION_SINGLE: setting(
    auth.SESSION_SINGLE,
    parseSwitch,
    "on: a new sign-in revokes the user's older sessions.",
  ),
  SESSION_LOW_AAL: setting(
    auth.SESSION_LOW_AAL,
    parseInteger(0, 31_536_000),
    'Seconds that a user with a second factor may stay at AAL1; 0: no limit.',
  ),
  PASSWORD_MIN_LENGTH: setting(
    auth.PASSWORD_MIN_LENGTH,
    parseInteger(6, 72),
    'Minimum length of a new password, in code points.',
    6,
  ),
  SIGNUP: setting(auth.SIGNUP, parseSwitch, 'on: anyone can sign up.', true),
  AUTOCONFIRM: setting(
    auth.AUTOCONFIRM,
    parseSwitch,
    'on: emails are confirmed at sign-up without a link.',
    true,
  ),
  PHONE: setting(auth.PHONE, parseSwitch, 'on: sign-in and second factors by phone.', true),
  ANONYMOUS: setting(auth.ANONYMOUS, parseSwitch, 'on: anonymous sign-in.', true),
  PASSKEYS: setting(auth.PASSKEYS, parseSwitch, 'on: passkeys and WebAuthn factors.', true),
  TEST_OTPS: setting(
    auth.TEST_OTPS,
    parseCommaSeparated,
    'phone=code pairs that always verify; for compatibility tests only.',
  ),
  MANUAL_LINKING: setting(
    auth.MANUAL_LINKING,
    parseSwitch,
    'on: users can link and unlink identities.',
    true,
  ),
  REDIRECT_URLS: setting(
    auth.REDIRECT_URLS,
    parseRedirectPatterns,
    'Allowed redirect URLs in addition to SITE_URL; patterns with *, **, ?, [a-z], [!a-z] and {one,two}.',
  ),
  OAUTH_PROVIDERS_FILE: setting('', parseText, 'JSON file with OAuth and OIDC providers.'),
  CAPTCHA_VERIFY_URL: setting(
    auth.CAPTCHA_VERIFY_URL,
    parseHttpUrl,
    'siteverify URL of hCaptcha or Turnstile.',
  ),
  CAPTCHA_SECRET: secret(setting(auth.CAPTCHA_SECRET, parseText, 'Secret of the captcha provider.')),
  AUTH_PORT: setting(0, parseInteger(0, 65_535), 'Second port with the Auth API at its root; 0: none.'),
  AUTH_TIMEOUT: setting(
    auth.AUTH_TIMEOUT,
    parseInteger(100, 600_000),
    'Maximum response time of the Auth API, in ms.',
  ),
  AUDIT_RETENTION: setting(auth.AUDIT_RETENTION, parseInteger(1, 36_500), 'Days to keep audit log entries.'),
  RATE_LIMITS: setting(auth.RATE_LIMITS, parseSwitch, 'Rate limits per user and per IP address.', false),
  TRUSTED_PROXIES: setting(
    none,
    parseCidrRanges,
    'Addresses or CIDR ranges whose X-Forwarded-For is trusted.',
  ),

  EXPOSED_SCHEMAS: setting(
    rest.EXPOSED_SCHEMAS,
    parseCommaSeparated,
    'Schemas of the Data API; the first is the default.',
  ),
  EXTRA_SEARCH_PATH: setting(
    rest.EXTRA_SEARCH_PATH,
    parseCommaSeparated,
    'Schemas searched for functions and operators.',
  ),
  MAX_ROWS: setting(rest.MAX_ROWS, parseInteger(1, 1_000_000), 'Maximum rows per response, also in embeds.'),
  AGGREGATES: setting(
    rest.AGGREGATES,
    parseSwitch,
    'on: aggregate functions such as count() and sum() in select.',
    true,
  ),
  PLAN: setting(rest.PLAN, parseSwitch, 'on: query plans can be requested with the Accept header.'),
  TX_OVERRIDE: setting(rest.TX_OVERRIDE, parseSwitch, 'on: Prefer: tx=rollback is supported.', true),
  REQUIRE_FILTER: setting(
    rest.REQUIRE_FILTER,
    parseSwitch,
    'on: reject PATCH and DELETE without a filter.',
    false,
  ),
  EMBED_DEPTH: setting(rest.EMBED_DEPTH, parseInteger(1, 50), 'Maximum nesting of embeds.'),
  LOGIC_DEPTH: setting(rest.LOGIC_DEPTH, parseInteger(1, 1000), 'Maximum nesting of and/or.'),
  STATEMENT_TIMEOUT: setting(
    rest.STATEMENT_TIMEOUT,
    parseInteger(100, 600_000),
    'Maximum statement duration, in ms.',
  ),
  ANON_STATEMENT_TIMEOUT: setting(
    rest.ANON_STATEMENT_TIMEOUT,
    parseInteger(100, 600_000),
    'The same for anonymous requests.',
  ),
  BODY_LIMIT: setting(
    rest.BODY_LIMIT,
    parseInteger(1024, 104_857_600),
    'Maximum size of a request body, in bytes.',
  ),
  REQUEST_SETTINGS: setting(
    rest.REQUEST_SETTINGS,
    parseSwitch,
    'on: SQL functions can read request.method, request.path, request.headers and request.cookies.',
  ),
  CORS_ORIGINS: setting(none, parseOrigins, 'Browser origins allowed in addition to SITE_URL.'),

  METRICS_TOKEN: secret(setting('', parseText, 'Bearer token for /metrics; unset: /metrics returns 404.')),
  LOG_LEVEL: setting(
    'info',
    parseEnum('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
    'Minimum log level.',
  ),
} as const;

/** Settings that have no effect without the others of the group. */
const requiredTogether: readonly (readonly (keyof typeof settings)[])[] = [
  ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_KEY_FILE'],
  ['CAPTCHA_VERIFY_URL', 'CAPTCHA_SECRET'],
];

type Widen<T> = T extends string ? (string extends T ? string : T) : T;
export type Config = { readonly [Name in keyof typeof settings]: Widen<(typeof settings)[Name]['fallback']> };

/** Returns the value of `name`, or the content of the file that `NAME_FILE` names. Adds errors to `errors`. */
function readSecret(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  errors: string[],
): string | undefined {
  const value = environment[name]?.trim();
  const file = environment[`${name}_FILE`]?.trim();
  if (!file) return value;
  if (value) {
    errors.push(`${name} and ${name}_FILE are both set. Set only one of them.`);
    return undefined;
  }
  try {
    const content = fs.readFileSync(file, 'utf8').trim();
    // An empty file is probably a secret that was not written. The service must not start without it.
    if (content === '') errors.push(`${name}_FILE ${file} is empty.`);
    return content;
  } catch {
    errors.push(`${name}_FILE ${file} cannot be read.`);
    return undefined;
  }
}

/**
 * Reads the settings.
 *
 * @throws OperationalError with one line per invalid value
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const errors: string[] = [];
  const values: Record<string, unknown> = {};
  const compat = environment['PROFILE'] === 'compat';
  for (const [name, entry] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const text = entry.secret ? readSecret(environment, name, errors) : environment[name]?.trim();
    values[name] = compat && entry.compat !== undefined ? entry.compat : entry.fallback;
    if (text === undefined || text === '') continue;
    try {
      values[name] = entry.parse(text);
    } catch (error) {
      if (!(error instanceof InvalidSettingError)) throw error;
      errors.push(`${name} ${error.message}${error.echoValue ? `, not "${text}"` : ''}.`);
    }
  }
  for (const names of requiredTogether) {
    const set = names.filter((name) => environment[name]?.trim() || environment[`${name}_FILE`]?.trim());
    if (set.length > 0 && set.length < names.length)
      errors.push(`${names.slice(0, -1).join(', ')} and ${names.at(-1)} must be set together.`);
  }
  if (errors.length > 0) throw new OperationalError(errors.join('\n'));
  const config = values as Config;
  return {
    ...config,
    SITE_URL: config.SITE_URL || `http://localhost:${config.PORT}`,
    DATA_DIR: path.resolve(config.DATA_DIR),
    JWT_ISSUER: config.JWT_ISSUER || `${config.SITE_URL || `http://localhost:${config.PORT}`}/auth/v1`,
  };
}
