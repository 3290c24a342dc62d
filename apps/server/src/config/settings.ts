/**
 * Every setting of the service: the only place that reads the environment. Unknown names that start
 * with `LANTERNROCK_` do not exist; a bad value stops the start with one clear line.
 * The reference in docs/configuration.md is generated from this table.
 */
import fs from 'node:fs';
import path from 'node:path';
import { OperationalError } from '@lanternrock/postgres/errors';
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
  /** Given when the variable is not set; text is parsed like a variable. */
  readonly fallback: T;
  readonly parse: (text: string) => T;
  /** What the setting does, with its unit. */
  readonly about: string;
  /** The fallback of `PROFILE=compat`. */
  readonly compat?: T;
  /** It may also come from the file that `NAME_FILE` names, for secret stores of systemd and containers. */
  readonly secret?: true;
}

const setting = <T>(fallback: T, parse: (text: string) => T, about: string, compat?: T): Setting<T> =>
  compat === undefined ? { fallback, parse, about } : { fallback, parse, about, compat };

const secret = <T>(entry: Setting<T>): Setting<T> & { readonly secret: true } => ({ ...entry, secret: true });

const seconds = parseInteger(1, 31_536_000);
const none: readonly string[] = [];

export const settings = {
  HOST: setting('127.0.0.1', parseText, 'Address to listen on.'),
  PORT: setting(3000, parseInteger(0, 65_535), 'Port to listen on; 0 takes a free one.'),
  SITE_URL: setting(
    '',
    parseSiteUrl,
    'What people type; used in mails and redirects. Default http://localhost:PORT.',
  ),
  DATA_DIR: setting('./.data', parseText, 'Folder of the embedded database, keys and kept mails.'),
  DATABASE_URL: secret(
    setting('', parseDatabaseUrl, 'A Postgres of yours, 15 or newer; unset: the embedded database.'),
  ),
  DATABASE_POOL: setting(
    10,
    parseInteger(1, 200),
    'Connections to Postgres; from 3 on, one of them is shared by quick reads.',
  ),
  DATABASE_WAIT: setting(
    10_000,
    parseInteger(100, 120_000),
    'Longest wait for a free connection, in milliseconds.',
  ),
  MIGRATE: setting(
    true,
    parseSwitch,
    'off: run on a database that somebody else migrates; only /rest/v1 is served.',
  ),
  PRODUCT_NAME: setting('Lanternrock', parseText, 'Display name everywhere.'),
  ADMIN_EMAIL: setting(
    'admin@example.com',
    parseEmail,
    'First administrator, used only while there is none.',
  ),
  ADMIN_NAME: setting('Administrator', parseText, 'Full name of the first administrator.'),
  PROFILE: setting(
    'strict',
    parseEnum('strict', 'compat'),
    'compat: permissive defaults for compatibility runs.',
  ),

  SMTP_URL: secret(
    setting(
      '',
      parseSmtpUrl,
      'Mail server, for example smtps://user:password@mail.example.org; unset: mails are kept.',
    ),
  ),
  SMTP_TLS: setting(
    'required',
    parseEnum('required', 'optional', 'off'),
    'TLS towards the mail server; loopback servers may go without.',
  ),
  MAIL_FROM: setting(
    'no-reply@localhost.localdomain',
    parseEmail,
    'Sender address until one is saved in the console.',
  ),
  MAILS_PER_HOUR: setting(500, parseInteger(1, 1_000_000), 'Mail budget of the instance.', 360_000),
  MAIL_RETENTION: setting(90, parseInteger(1, 3650), 'Days for which the record of a finished mail is kept.'),
  RESEND_COOLDOWN: setting(30, parseInteger(0, 86_400), 'Seconds between two resends of one invitation.', 1),
  INVITATION_TTL: setting(604_800, seconds, 'Life of an invitation in seconds.'),
  RECOVERY_TTL: setting(3600, seconds, 'Life of a recovery link in seconds.'),
  OTP_TTL: setting(3600, seconds, 'Life of other mailed links and codes in seconds.'),
  DKIM_DOMAIN: setting('', parseText, 'Domain of the DKIM signature.'),
  DKIM_SELECTOR: setting('', parseText, 'Selector of the DKIM key.'),
  DKIM_KEY_FILE: setting('', parseText, 'File with the DKIM private key in PEM.'),
  DNS_SERVERS: setting(
    none,
    parseDnsServers,
    "DNS servers for the check of the sender's domain, as ADDRESS or ADDRESS:PORT; unset: the system's.",
  ),

  SIGNING_KEYS: secret(setting('', parseText, 'JWK set of signing keys; unset: made once.')),
  SECRETS_KEY: secret(
    setting(
      '',
      parseText,
      'Encrypts keys and factor secrets in Postgres: 32 bytes, base64url. Needed with DATABASE_URL.',
    ),
  ),
  ANON_KEY: setting('', parseText, 'Public key of the console; unset: made once.'),
  SERVICE_ROLE_KEY: secret(setting('', parseText, 'Secret key of trusted programs; unset: made once.')),
  ENFORCE_API_KEY: setting(false, parseSwitch, 'on: calls without a known apikey are refused.'),
  ACCESS_TOKEN_TTL: setting(3600, parseInteger(5, 604_800), 'Life of an access token in seconds.'),
  JWT_ISSUER: setting('', parseText, 'Claim iss; default SITE_URL/auth/v1.'),
  REFRESH_REUSE_INTERVAL: setting(
    10,
    parseInteger(0, 300),
    'Seconds in which an older refresh token still gets the active one.',
  ),
  SESSION_TIMEBOX: setting(
    2_592_000,
    parseInteger(0, 31_536_000),
    'Seconds after which a session ends; 0: never.',
    0,
  ),
  SESSION_INACTIVITY: setting(
    604_800,
    parseInteger(0, 31_536_000),
    'Seconds without use after which a session ends; 0: never.',
    0,
  ),
  SESSION_SINGLE: setting(false, parseSwitch, 'on: a new sign-in ends the older sessions of the person.'),
  SESSION_LOW_AAL: setting(
    0,
    parseInteger(0, 31_536_000),
    'Seconds in which somebody with a second factor has to show it; 0: no end.',
  ),
  PASSWORD_MIN_LENGTH: setting(8, parseInteger(6, 72), 'Code points of a new password.', 6),
  SIGNUP: setting(false, parseSwitch, 'on: anybody may make a user.', true),
  AUTOCONFIRM: setting(false, parseSwitch, 'on: addresses count as confirmed at sign-up.', true),
  PHONE: setting(false, parseSwitch, 'on: sign-in and factors by phone.', true),
  ANONYMOUS: setting(false, parseSwitch, 'on: anonymous users.', true),
  PASSKEYS: setting(true, parseSwitch, 'on: passkeys and WebAuthn factors.', true),
  TEST_OTPS: setting(
    none,
    parseCommaSeparated,
    'phone=code pairs that are always right; compatibility runs only.',
  ),
  MANUAL_LINKING: setting(true, parseSwitch, 'on: signed-in people may link and unlink identities.', true),
  REDIRECT_URLS: setting(
    none,
    parseRedirectPatterns,
    'Redirect targets besides SITE_URL; patterns with *, **, ?, [a-z], [!a-z] and {one,two}.',
  ),
  OAUTH_PROVIDERS_FILE: setting('', parseText, 'JSON file with OAuth and OIDC providers.'),
  CAPTCHA_VERIFY_URL: setting('', parseHttpUrl, 'siteverify address of hCaptcha or Turnstile.'),
  CAPTCHA_SECRET: secret(setting('', parseText, 'Secret of the captcha provider.')),
  AUTH_PORT: setting(
    0,
    parseInteger(0, 65_535),
    'Second listener with the auth service at its root; 0: none.',
  ),
  AUTH_TIMEOUT: setting(
    10_000,
    parseInteger(100, 600_000),
    'Longest time for an answer of the auth service, in milliseconds.',
  ),
  AUDIT_RETENTION: setting(
    365,
    parseInteger(1, 36_500),
    'Days for which the records of sign-ins and of changes are kept.',
  ),
  RATE_LIMITS: setting(true, parseSwitch, 'Limits per user and per network address.', false),
  TRUSTED_PROXIES: setting(none, parseCidrRanges, 'Addresses or CIDR ranges whose X-Forwarded-For counts.'),

  EXPOSED_SCHEMAS: setting<readonly string[]>(
    ['public'],
    parseCommaSeparated,
    'Schemas of the data interface; the first is the default.',
  ),
  EXTRA_SEARCH_PATH: setting<readonly string[]>(
    ['public'],
    parseCommaSeparated,
    'Schemas searched for functions and operators.',
  ),
  MAX_ROWS: setting(1000, parseInteger(1, 1_000_000), 'Most rows of one answer, also inside embeds.'),
  AGGREGATES: setting(false, parseSwitch, 'on: count(), sum() and the like in select.', true),
  PLAN: setting(false, parseSwitch, 'on: query plans by Accept header.'),
  TX_OVERRIDE: setting(false, parseSwitch, 'on: Prefer: tx=rollback is honoured.', true),
  REQUIRE_FILTER: setting(true, parseSwitch, 'PATCH and DELETE without any filter are refused.', false),
  EMBED_DEPTH: setting(5, parseInteger(1, 50), 'Deepest nesting of embeds.'),
  LOGIC_DEPTH: setting(32, parseInteger(1, 1000), 'Deepest nesting of and/or.'),
  STATEMENT_TIMEOUT: setting(
    8000,
    parseInteger(100, 600_000),
    'Longest statement of a request, in milliseconds.',
  ),
  ANON_STATEMENT_TIMEOUT: setting(
    3000,
    parseInteger(100, 600_000),
    'The same for requests that nobody signed in for, in milliseconds.',
  ),
  BODY_LIMIT: setting(1_048_576, parseInteger(1024, 104_857_600), 'Largest request body in bytes.'),
  REQUEST_SETTINGS: setting(
    false,
    parseSwitch,
    'on: functions may read request.method, request.path, request.headers and request.cookies.',
  ),
  CORS_ORIGINS: setting(none, parseOrigins, 'Origins of browsers that may call besides SITE_URL.'),

  METRICS_TOKEN: secret(setting('', parseText, 'Bearer token for /metrics; unset: /metrics answers 404.')),
  LOG_LEVEL: setting(
    'info',
    parseEnum('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
    'Least level that is logged.',
  ),
} as const;

/** One of them without the others would be passed over in silence. */
const inseparable: readonly (readonly (keyof typeof settings)[])[] = [
  ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_KEY_FILE'],
  ['CAPTCHA_VERIFY_URL', 'CAPTCHA_SECRET'],
];

type Widen<T> = T extends string ? (string extends T ? string : T) : T;
export type Config = { readonly [Name in keyof typeof settings]: Widen<(typeof settings)[Name]['fallback']> };

/** Returns the value of `name`, or the content of the file that `NAME_FILE` names. Adds to `problems`. */
function readSecret(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  problems: string[],
): string | undefined {
  const value = environment[name]?.trim();
  const file = environment[`${name}_FILE`]?.trim();
  if (!file) return value;
  if (value) {
    problems.push(`${name} and ${name}_FILE are both set. Set only one of them.`);
    return undefined;
  }
  try {
    const content = fs.readFileSync(file, 'utf8').trim();
    // An empty file is most likely a secret that was not written: the start must not go on without it.
    if (content === '') problems.push(`${name}_FILE ${file} is empty.`);
    return content;
  } catch {
    problems.push(`${name}_FILE ${file} cannot be read.`);
    return undefined;
  }
}

/**
 * Reads the settings.
 * @throws OperationalError with one line per bad value.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const compat = environment['PROFILE'] === 'compat';
  for (const [name, entry] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const text = entry.secret ? readSecret(environment, name, problems) : environment[name]?.trim();
    values[name] = compat && entry.compat !== undefined ? entry.compat : entry.fallback;
    if (text === undefined || text === '') continue;
    try {
      values[name] = entry.parse(text);
    } catch (error) {
      if (!(error instanceof InvalidSettingError)) throw error;
      problems.push(`${name} ${error.message}${error.echoValue ? `, not "${text}"` : ''}.`);
    }
  }
  for (const names of inseparable) {
    const given = names.filter((name) => environment[name]?.trim() || environment[`${name}_FILE`]?.trim());
    if (given.length > 0 && given.length < names.length)
      problems.push(`${names.slice(0, -1).join(', ')} and ${names.at(-1)} belong together.`);
  }
  if (problems.length > 0) throw new OperationalError(problems.join('\n'));
  const config = values as Config;
  return {
    ...config,
    SITE_URL: config.SITE_URL || `http://localhost:${config.PORT}`,
    DATA_DIR: path.resolve(config.DATA_DIR),
    JWT_ISSUER: config.JWT_ISSUER || `${config.SITE_URL || `http://localhost:${config.PORT}`}/auth/v1`,
  };
}
