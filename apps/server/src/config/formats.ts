/** Parsers of setting values. */
import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import { compileRedirectPattern } from '@lanternrock/auth/redirect-pattern';

/** An invalid setting value. The message is appended to the setting name: `PORT must be ...`. */
export class InvalidSettingError extends Error {
  /** False for values that can contain a password, such as URLs. */
  readonly echoValue: boolean;

  constructor(message: string, echoValue = true) {
    super(message);
    this.echoValue = echoValue;
  }
}

export const parseText = (text: string): string => text;

export const parseInteger =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      throw new InvalidSettingError(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  };

export const parseSwitch = (text: string): boolean => {
  if (text === 'on' || text === 'true') return true;
  if (text === 'off' || text === 'false') return false;
  throw new InvalidSettingError('must be on or off');
};

export const parseEnum =
  <const T extends string>(...choices: readonly T[]) =>
  (text: string): T => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new InvalidSettingError(`must be one of ${choices.join(', ')}`);
    return choice;
  };

export const parseCommaSeparated = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Splits at commas, except within braces, where a comma is part of the pattern. */
export const parseRedirectPatterns = (text: string): readonly string[] => {
  const patterns = text
    .split(/,(?![^{]*\})/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  try {
    patterns.forEach(compileRedirectPattern);
  } catch {
    throw new InvalidSettingError('must be valid patterns (balanced braces, ascending ranges)');
  }
  return patterns;
};

export const parseDnsServers = (text: string): readonly string[] => {
  const servers = parseCommaSeparated(text);
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new InvalidSettingError('must be IP addresses, separated by commas');
  }
  return servers;
};

/** Parses IP addresses and CIDR ranges. */
export const parseCidrRanges = (text: string): readonly string[] => {
  const networks = parseCommaSeparated(text);
  if (!networks.every(isNetwork))
    throw new InvalidSettingError('must be IP addresses or ranges such as 10.0.0.0/8, separated by commas');
  return networks;
};

function isNetwork(text: string): boolean {
  const [ip = '', prefix, rest] = text.split('/');
  const family = isIP(ip);
  if (family === 0 || rest !== undefined) return false;
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

const tryParseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const isHttp = (url: URL | null): url is URL => url?.protocol === 'https:' || url?.protocol === 'http:';

/** Parses the URL of a site and removes trailing slashes. */
export const parseSiteUrl = (text: string): string => {
  const url = tryParseUrl(text);
  if (!isHttp(url) || url.search !== '' || url.hash !== '')
    throw new InvalidSettingError('must be a URL such as https://console.example.org');
  return text.replace(/\/+$/, '');
};

export const parseHttpUrl = (text: string): string => {
  if (!isHttp(tryParseUrl(text)))
    throw new InvalidSettingError('must be a URL such as https://example.org/verify');
  return text;
};

/** Parses origins as browsers send them: scheme, host and non-default port. Apps and extensions have custom schemes. */
export const parseOrigins = (text: string): readonly string[] => {
  const origins = parseCommaSeparated(text);
  if (!origins.every(isOrigin))
    throw new InvalidSettingError(
      'must be origins such as https://app.example.org, without a slash at the end',
    );
  return origins;
};

function isOrigin(text: string): boolean {
  const url = tryParseUrl(text);
  return url !== null && url.host !== '' && text === `${url.protocol}//${url.host}`;
}

export const parseEmail = (text: string): string => {
  const email = normalizeEmail(text);
  if (!isEmail(email)) throw new InvalidSettingError('must be an email address');
  return email;
};

/** Accepts the formats of the driver: a URL, optionally without a host, or a Unix socket. */
export const parseDatabaseUrl = (text: string): string => {
  const isUrl = /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text.replace('@/', '@localhost/'));
  if (!isUrl && !/^(\/|socket:)/.test(text))
    throw new InvalidSettingError('must look like postgres://user:password@db.example.org:5432/name', false);
  return text;
};

/** Parses the URL of a mail server. SMTP_TLS sets the TLS requirement. */
export const parseSmtpUrl = (text: string): string => {
  const url = tryParseUrl(text);
  const isSmtp = (url?.protocol === 'smtp:' || url?.protocol === 'smtps:') && url.hostname !== '';
  if (!url || !isSmtp || !isPercentEncoded(url.username) || !isPercentEncoded(url.password))
    throw new InvalidSettingError(
      'must look like smtps://user:password@mail.example.org or smtp://host:587',
      false,
    );
  if (url.search !== '' || url.hash !== '' || !['', '/'].includes(url.pathname))
    throw new InvalidSettingError(
      'must have no path and no query; use SMTP_TLS to set the TLS requirement',
      false,
    );
  return text;
};

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
