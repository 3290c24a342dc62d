/** Formats of setting values that only the server has. A message is appended to the name of the setting. */
import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import { findConnectionUrlProblem } from '@lanternrock/postgres/connection-url';
import { isSupportedCountry } from 'libphonenumber-js/min';
import { Cron } from 'croner';
import { list } from '@lanternrock/postgres/setting-formats';
import * as z from 'zod';

export const choice = <const T extends readonly string[]>(choices: T) =>
  z
    .enum(choices, { error: `must be one of ${choices.join(', ')}` })
    .meta({ values: choices.map((value) => `\`${value}\``).join(', ') });

const checkedList = (isValid: (part: string) => boolean, error: string, values: string) =>
  list.refine((parts) => parts.every(isValid), error).meta({ values });

export const cidrRanges = checkedList(
  isNetwork,
  'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
  'list of `IP` or `IP/PREFIX`',
);

/** Origins as browsers send them: scheme, host and non-default port. Apps and extensions have custom schemes. */
export const origins = checkedList(
  isOrigin,
  'must be origins such as https://app.example.org, without wildcards and without a slash at the end',
  'list of origins',
);

export const dnsServers = checkedList(
  (server) => succeeds(() => new Resolver().setServers([server])),
  'must be IP addresses, optionally with a port such as 192.0.2.1:53, separated by commas',
  'list of `IP` or `IP:PORT`',
);

/**
 * The origin of the instance: console and APIs are at the root of the host. An internationalized host becomes punycode, as
 * in the Origin header of browsers.
 */
export const siteUrl = z
  .string()
  .refine(
    isSiteUrl,
    'must be a URL such as https://console.example.org, without user, path, query and fragment',
  )
  .transform((text) => new URL(text).origin)
  .meta({ values: '`http(s)://HOST[:PORT]`' });

export const email = z
  .string()
  .transform(normalizeEmail)
  .refine(isEmail, 'must be an email address')
  .meta({ values: 'email address' });

/** Five fields of cron, or a name such as @daily. A schedule has a time: `0 0 30 2 *` has none. */
export const cronSchedule = z
  .string()
  .max(200)
  .refine(isSchedule, 'must be five fields of cron such as 0 3 * * * with a time in the future')
  .meta({ values: 'five fields of cron, or `@hourly`, `@daily`, `@weekly`' });

function isSchedule(text: string): boolean {
  try {
    return new Cron(text, { timezone: 'UTC', mode: '5-part' }).nextRun() !== null;
  } catch {
    return false;
  }
}

/** A country whose phone numbers are known. */
export const country = z
  .string()
  .transform((text) => text.toUpperCase())
  .refine(
    (text): boolean => isSupportedCountry(text),
    'must be the code of a country with two letters, such as CH',
  )
  .meta({ values: 'ISO 3166-1 code with two letters' });

export const databaseUrl = z
  .string()
  .check(({ value, issues }) => {
    const message = findConnectionUrlProblem(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  })
  .meta({ values: '`postgres://USER:PASSWORD@HOST:PORT/NAME`, or `DIRECTORY NAME` of a Unix socket' });

/** A fully qualified domain name in ASCII, for example in the greeting to a mail server. */
export const hostName = z
  .string()
  .refine(
    (text) =>
      text.length <= 253 &&
      /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i.test(text),
    'must be a full host name such as console.example.org',
  )
  .meta({ values: 'host name' });

/** The URL of a mail server. SMTP_TLS sets the TLS requirement. */
export const smtpUrl = z
  .string()
  .refine(isMailServerUrl, {
    error: 'must look like smtps://user:password@mail.example.org or smtp://host:587',
    abort: true,
  })
  .refine((text) => {
    const { search, hash, pathname } = new URL(text);
    return search === '' && hash === '' && ['', '/'].includes(pathname);
  }, 'must have no path and no query; use SMTP_TLS to set the TLS requirement')
  .meta({ values: '`smtps://` or `smtp://USER:PASSWORD@HOST:PORT`' });

const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

function isNetwork(text: string): boolean {
  const [ip = '', prefix, rest] = text.split('/');
  const family = isIP(ip);
  if (family === 0 || rest !== undefined) return false;
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  // `URL` accepts a wildcard as a host, but origins are compared as text.
  return url !== null && url.host !== '' && !text.includes('*') && text === `${url.protocol}//${url.host}`;
}

/** `URL` accepts more: it removes tabs and line feeds, adds missing slashes, and accepts a wildcard as a host. */
function isSiteUrl(text: string): boolean {
  return /^https?:\/\/[^\s/\\?#@*]+\/*$/i.test(text) && URL.canParse(text);
}

function isMailServerUrl(text: string): boolean {
  const { protocol = '', hostname = '', username = '', password = '' } = parseUrl(text) ?? {};
  const isDecodable = succeeds(() => decodeURIComponent(username) + decodeURIComponent(password));
  return ['smtp:', 'smtps:'].includes(protocol) && hostname !== '' && isDecodable;
}

function succeeds(operation: () => unknown): boolean {
  try {
    operation();
    return true;
  } catch {
    return false;
  }
}
