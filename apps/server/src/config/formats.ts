/** What the text of a setting may be: each function reads one kind of it. */
import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import { isEmail, normalizeEmail } from '@lanternrock/contract/email';
import { compileRedirectPattern } from '../redirect-pattern.ts';

/** A text that is not of its kind; the message goes on behind the name of the setting. */
export class InvalidSettingError extends Error {
  /** Whether the text itself may be told: addresses with a password in them may not. */
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

/** As a list, but a comma between braces belongs to the pattern. */
export const parseRedirectPatterns = (text: string): readonly string[] => {
  const patterns = text
    .split(/,(?![^{]*\})/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  try {
    patterns.forEach(compileRedirectPattern);
  } catch {
    throw new InvalidSettingError('must be patterns whose braces match and whose ranges run forwards');
  }
  return patterns;
};

/** DNS servers. */
export const parseDnsServers = (text: string): readonly string[] => {
  const servers = parseCommaSeparated(text);
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new InvalidSettingError('must be network addresses, separated by commas');
  }
  return servers;
};

/** Addresses and CIDR ranges. */
export const parseCidrRanges = (text: string): readonly string[] => {
  const networks = parseCommaSeparated(text);
  if (!networks.every(isNetwork))
    throw new InvalidSettingError(
      'must be network addresses or ranges such as 10.0.0.0/8, separated by commas',
    );
  return networks;
};

function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

const parsedUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const isWeb = (url: URL | null): url is URL => url?.protocol === 'https:' || url?.protocol === 'http:';

/** The address of a site, without a slash at its end. */
export const parseSiteUrl = (text: string): string => {
  const url = parsedUrl(text);
  if (!isWeb(url) || url.search !== '' || url.hash !== '')
    throw new InvalidSettingError('must be an address such as https://console.example.org');
  return text.replace(/\/+$/, '');
};

/** The address of one resource on the web. */
export const parseHttpUrl = (text: string): string => {
  if (!isWeb(parsedUrl(text)))
    throw new InvalidSettingError('must be an address such as https://example.org/verify');
  return text;
};

/** As browsers send them: scheme, host, and a port that is not the scheme's own. Apps and extensions have schemes of their own. */
export const parseOrigins = (text: string): readonly string[] => {
  const origins = parseCommaSeparated(text);
  if (!origins.every(isOrigin))
    throw new InvalidSettingError(
      'must be origins such as https://app.example.org, without a slash at the end',
    );
  return origins;
};

function isOrigin(text: string): boolean {
  const url = parsedUrl(text);
  return url !== null && url.host !== '' && text === `${url.protocol}//${url.host}`;
}

export const parseEmail = (text: string): string => {
  const email = normalizeEmail(text);
  if (!isEmail(email)) throw new InvalidSettingError('must be one plain e-mail address');
  return email;
};

/** As the driver takes it: an address whose host may be left out, or a local socket. */
export const parseDatabaseUrl = (text: string): string => {
  const address = /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text.replace('@/', '@localhost/'));
  if (!address && !/^(\/|socket:)/.test(text))
    throw new InvalidSettingError('must look like postgres://user:password@db.example.org:5432/name', false);
  return text;
};

/** A mail server; which TLS it must speak stands in another setting. */
export const parseSmtpUrl = (text: string): string => {
  const url = parsedUrl(text);
  const named = (url?.protocol === 'smtp:' || url?.protocol === 'smtps:') && url.hostname !== '';
  if (!url || !named || !isPercentEncoded(url.username) || !isPercentEncoded(url.password))
    throw new InvalidSettingError(
      'must look like smtps://user:password@mail.example.org or smtp://host:587',
      false,
    );
  if (url.search !== '' || url.hash !== '' || !['', '/'].includes(url.pathname))
    throw new InvalidSettingError('takes no path and no options; use SMTP_TLS for the TLS rule', false);
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
