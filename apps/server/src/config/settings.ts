/**
 * All settings of the service. No other module reads environment variables. docs/configuration.md is generated from
 * these schemas.
 */
import fs from 'node:fs';
import path from 'node:path';
import { addLibpqVariables } from '@lanternrock/postgres/connection-url';
import { OperationalError } from '@lanternrock/postgres/errors';
import { flag, integer } from '@lanternrock/postgres/setting-formats';
import { restSettings } from '@lanternrock/rest/settings';
import * as z from 'zod';
import { authSettings, keySettings } from '@lanternrock/auth/settings';
import { readSettingsFile } from './settings-file.ts';
import { findUnknownSettings } from './unknown-settings.ts';
import {
  choice,
  cronSchedule,
  cidrRanges,
  country,
  databaseUrl,
  dnsServers,
  email,
  hostName,
  origins,
  siteUrl,
  smtpUrl,
} from './formats.ts';

const text = z.string();

/** The name until an administrator enters another one. */
export const defaultAdministratorName = 'Administrator';

// The order is that of the reference.
const { RESEND_COOLDOWN, INVITATION_TTL, RECOVERY_TTL, OTP_TTL, ...signInSettings } = authSettings.shape;
const { AUTH_TIMEOUT, AUDIT_RETENTION, RATE_LIMITS, ...otherAuthSettings } = signInSettings;

export const settings = z.object({
  HOST: text
    .default('127.0.0.1')
    .meta({ about: 'IP address to listen on; 0.0.0.0: all IPv4 addresses.', values: 'IP address' }),
  PORT: integer(0, 65_535).default(3000).meta({ about: 'Port to listen on; 0 selects a free port.' }),
  SITE_URL: siteUrl.default('').meta({
    about: 'Public URL, used in emails and redirects. Default http://localhost:PORT.',
  }),
  DATA_DIR: text.default('./.data').meta({
    about:
      'Directory for the embedded database, keys and captured emails; relative to the current directory.',
    values: 'path',
  }),
  DATABASE_URL: databaseUrl.default('').meta({
    about:
      'External Postgres, 15 or newer; unset: embedded database. Add `?sslmode=verify-full` to verify the server: the default does not ([TLS to Postgres](operations.md#connections-to-postgres)).',
    secret: true,
  }),
  DATABASE_POOL: integer(1, 200).default(10).meta({
    about:
      'Maximum connections to Postgres, besides two for notifications; with 3 or more, fast reads share one of them.',
  }),
  DATABASE_WAIT: integer(100, 120_000)
    .default(10_000)
    .meta({ about: 'Maximum wait for a free connection, in ms.' }),
  MIGRATE: flag.default(true).meta({
    about: 'off: use a database that another project migrates; the only API is then /rest/v1.',
  }),
  BACKUP_DIR: text.default('').meta({
    about:
      'Existing directory for scheduled backups, of this instance alone; relative to the current directory. Set it and BACKUP_SCHEDULE together.',
    values: 'path',
  }),
  BACKUP_SCHEDULE: cronSchedule.default('').meta({
    about: 'Times of the backups in UTC, for example `0 3 * * *`; unset: no scheduled backups.',
  }),
  BACKUP_KEEP: integer(1, 10_000).default(7).meta({
    about: 'Number of scheduled backups to keep; older ones are deleted after a new one is complete.',
  }),
  PRODUCT_NAME: text.default('Lanternrock').meta({ about: 'Product name shown in the console and emails.' }),
  ADMIN_EMAIL: email.default('admin@example.com').meta({
    about: 'Email of the first administrator; used only until an administrator exists.',
  }),
  ADMIN_NAME: text.default(defaultAdministratorName).meta({ about: 'Full name of the first administrator.' }),
  DEFAULT_COUNTRY: country.default('').meta({
    about:
      'Country of phone numbers without a country code; unset: contacts need numbers such as +41 44 668 18 00.',
  }),
  PROFILE: choice(['strict', 'compat'])
    .default('strict')
    .meta({ about: 'compat: permissive defaults for compatibility tests.' }),

  SMTP_URL: smtpUrl.default('').meta({
    about:
      'Mail server URL, for example smtps://user:password@mail.example.org; unset: emails are saved in the local mailbox.',
    secret: true,
  }),
  SMTP_TLS: choice(['required', 'optional', 'off']).default('required').meta({
    about:
      'TLS with smtp:// URLs. required: STARTTLS with a valid certificate, except for loopback servers; optional: if the server offers it; off: never.',
  }),
  SMTP_EHLO_NAME: hostName.default('').meta({
    about:
      'Name in the greeting (EHLO) to the mail server; unset: the first public name of SITE_URL, MAIL_FROM and this machine.',
  }),
  MAIL_FROM: email.default('no-reply@localhost.localdomain').meta({
    about: 'Sender email of security notices, and of all emails until a sender is saved in the console.',
  }),
  MAILS_PER_HOUR: integer(1, 1_000_000)
    .default(500)
    .meta({ about: 'Maximum emails per hour.', compat: 360_000 }),
  MAIL_RETENTION: integer(1, 3650).default(90).meta({ about: 'Days to keep delivery records.' }),
  AUDIT_MAIL: flag
    .default(true)
    .meta({ about: 'on: administrators get a daily email with the head of the audit log.' }),
  RESEND_COOLDOWN,
  INVITATION_TTL,
  RECOVERY_TTL,
  OTP_TTL,
  DKIM_DOMAIN: text.default('').meta({ about: 'Domain of the DKIM signature.' }),
  DKIM_SELECTOR: text.default('').meta({ about: 'Selector of the DKIM key.' }),
  DKIM_KEY_FILE: text.default('').meta({
    about: 'File with the DKIM private key in PEM. Set all three DKIM settings or none.',
    values: 'path',
  }),
  DNS_SERVERS: dnsServers.default([]).meta({
    about: "DNS servers for the check of the sender's domain, as IP or IP:PORT; unset: those of the system.",
  }),

  ...keySettings.shape,
  ...otherAuthSettings,
  AUTH_PORT: integer(0, 65_535)
    .default(0)
    .meta({ about: 'Second port with the Auth API at its root; 0: none.' }),
  AUTH_TIMEOUT,
  AUDIT_RETENTION,
  RATE_LIMITS,
  TRUSTED_PROXIES: cidrRanges
    .default([])
    .meta({ about: 'IP addresses or CIDR ranges of the proxies whose X-Forwarded-For is trusted.' }),

  ...restSettings.shape,
  CORS_ORIGINS: origins
    .default([])
    .meta({ about: 'Browser origins allowed in addition to SITE_URL, without wildcards.' }),

  METRICS_TOKEN: text.default('').meta({
    about: 'Bearer token for /metrics and the version in /health; unset: /metrics returns 404.',
    secret: true,
  }),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .meta({ about: 'Minimum log level.' }),
});

export type Config = Readonly<z.output<typeof settings>>;

interface SettingMeta {
  /** One or two sentences for the reference, with the unit. */
  readonly about: string;
  /** Permitted values, in Markdown. */
  readonly values: string;
  /** Default value with `PROFILE=compat`. */
  readonly compat?: unknown;
  /** True if `NAME_FILE` can contain the path of a file with the value, for secrets of systemd and containers. */
  readonly secret?: boolean;
}

export const settingMeta = (schema: z.ZodType): SettingMeta => {
  const format = schema instanceof z.ZodDefault ? (schema.def.innerType as z.ZodType).meta() : {};
  return { about: '', values: 'text', ...format, ...schema.meta() };
};

/** All names that the service reads. */
export const settingNames: readonly string[] = Object.entries(settings.shape).flatMap(([name, schema]) =>
  settingMeta(schema).secret ? [name, `${name}_FILE`] : [name],
);

/** Settings that have no effect without the others of the group. */
const requiredTogether: readonly (readonly (keyof Config)[])[] = [
  ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_KEY_FILE'],
  ['CAPTCHA_VERIFY_URL', 'CAPTCHA_SECRET'],
  ['BACKUP_DIR', 'BACKUP_SCHEDULE'],
];

type Environment = Readonly<Record<string, string | undefined>>;

/** A misplaced password must not appear in a log. */
const withoutUser = (value = ''): string => value.replaceAll(/\/\/[^/?#\s]*@/g, '//…@');

/** Returns one sentence per environment variable that is probably a misspelled setting. */
export const describeUnknownSettings = (environment: Environment = process.env): string[] =>
  findUnknownSettings(Object.keys(environment), settingNames).map(
    ({ name, nearest }) => `${name} is not a setting and has no effect. Did you mean ${nearest}?`,
  );

/** Returns the value of `name`, or the content of the file that `NAME_FILE` names. Adds errors to `errors`. */
function readSecret(environment: Environment, name: string, errors: string[]): string | undefined {
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

/** Returns the directory in which the operator typed a command. `npm run` changes to the directory of the package. */
export function readCommandDirectory(environment: Environment = process.env): string {
  const { INIT_CWD: directory, npm_lifecycle_event: script } = environment;
  return script === 'lanternrock' && directory ? directory : process.cwd();
}

/**
 * Adds the variables of a settings file to the environment, as the driver of Postgres reads some, too. A variable that is set
 * keeps its value.
 *
 * @param file relative to the directory in which the operator typed the command
 * @throws OperationalError if the file cannot be read, so that a service does not start without its settings
 */
export function addSettingsFile(file: string, environment: NodeJS.ProcessEnv = process.env): void {
  const settingsPath = path.resolve(readCommandDirectory(environment), file);
  for (const [name, value] of Object.entries(readSettingsFile(settingsPath)))
    if (!environment[name]) environment[name] = value;
}

/**
 * Reads the settings.
 *
 * @throws OperationalError with one line per invalid value
 */
export function readConfig(environment: Environment = process.env): Config {
  const errors: string[] = [];
  const texts: Record<string, string> = {};
  const profileDefaults: Record<string, unknown> = {};
  const isCompat = environment['PROFILE'] === 'compat';
  for (const [name, schema] of Object.entries(settings.shape)) {
    const { secret, compat } = settingMeta(schema);
    const value = secret ? readSecret(environment, name, errors) : environment[name]?.trim();
    if (value) texts[name] = value;
    else if (isCompat && compat !== undefined) profileDefaults[name] = compat;
  }
  const parsed = settings.safeParse(texts);
  for (const {
    path: [name],
    message,
  } of parsed.error?.issues ?? []) {
    const { secret } = settingMeta(settings.shape[name as keyof Config]);
    errors.push(`${String(name)} ${message}${secret ? '' : `, not "${withoutUser(texts[String(name)])}"`}.`);
  }
  for (const names of requiredTogether) {
    const set = names.filter((name) => environment[name]?.trim() || environment[`${name}_FILE`]?.trim());
    if (set.length > 0 && set.length < names.length)
      errors.push(`${names.slice(0, -1).join(', ')} and ${names.at(-1)} must be set together.`);
  }
  if (errors.length > 0 || !parsed.success) throw new OperationalError(errors.join('\n'));
  const config: Config = { ...parsed.data, ...profileDefaults };
  const SITE_URL = config.SITE_URL || `http://localhost:${config.PORT}`;
  return {
    ...config,
    SITE_URL,
    DATABASE_URL: addLibpqVariables(config.DATABASE_URL, environment),
    DATA_DIR: path.resolve(config.DATA_DIR),
    BACKUP_DIR: config.BACKUP_DIR && path.resolve(config.BACKUP_DIR),
    JWT_ISSUER: config.JWT_ISSUER || `${SITE_URL}/auth/v1`,
  };
}
