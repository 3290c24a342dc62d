/**
 * Reads a connection URI as libpq does (PostgreSQL manual, "Connection URIs" and "SSL Support"). The driver gives
 * `sslmode` other meanings and ignores parameters that it does not know.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import type { ClientSettings, Tls } from './client.ts';
import { listServers, splitHosts } from './connection-hosts.ts';
import { OperationalError } from './errors.ts';

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

export interface ConnectionTarget {
  /** Without `ssl`; leads to the first server. */
  readonly client: ClientSettings;
  /** Connection URIs of all servers, in order. */
  readonly servers: readonly string[];
  /** TLS of the attempts to connect, in order. */
  readonly tls: readonly [Tls, ...Tls[]];
  readonly sslMode: SslMode;
  /** True if a server that rejects writes must not be used at all, not even for reads. */
  readonly requiresWrites: boolean;
}

/** Parameters that the driver understands as libpq does. */
const driverParameters = new Set([
  'application_name',
  'fallback_application_name',
  'host',
  'options',
  'password',
  'port',
  'user',
]);

const tlsParameters = new Set([
  'sslmode',
  'ssl',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'sslnegotiation',
  'ssl_min_protocol_version',
]);

/** Authentication is bound to the TLS connection. The driver does not send the password to another server then. */
const channelBindings = ['disable', 'prefer', 'require'] as const;

/** Values of other parameters that change nothing here. */
const neutralValues: Readonly<Record<string, readonly string[]>> = {
  client_encoding: ['UTF8', 'utf8', 'UTF-8', 'utf-8', 'auto'],
  gssencmode: ['disable', 'prefer'],
  load_balance_hosts: ['disable'],
  target_session_attrs: ['any', 'read-write', 'primary'],
  uselibpqcompat: ['true'],
};

/** What to do instead of parameters that are not supported. */
const advice: Readonly<Record<string, string>> = {
  channel_binding: 'Use one of disable, prefer, require.',
  connect_timeout: 'Use DATABASE_WAIT.',
  sslmode: `Use one of ${sslModes.join(', ')}.`,
  target_session_attrs: 'The service writes: use read-write, primary or any.',
};

const switchValue = /^(true|false|on|off|yes|no)$/;

const unsupportedError = (name: string, value: string): OperationalError => {
  // The value of an unknown parameter can be a password.
  const isShown =
    name !== 'sslpassword' && (name in advice || name in neutralValues || tlsParameters.has(name));
  const shown =
    (isShown && value.length <= 40 && value !== '') || switchValue.test(value) ? `${name}=${value}` : name;
  return new OperationalError(
    `DATABASE_URL: the parameter ${shown} is not supported. ${advice[name] ?? 'Remove it.'}`,
  );
};

const isSocketUrl = (url: string): boolean => /^(\/|socket:)/.test(url);

const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//i.test(url);

function splitUrl(url: string): { readonly base: string; readonly parameters: URLSearchParams } {
  const [base = '', query = ''] = url.split(/\?(.*)/s);
  return { base, parameters: new URLSearchParams(query) };
}

/**
 * Checks the form of DATABASE_URL: a URL, optionally without a host, or a Unix socket.
 *
 * @returns the end of a sentence that begins with the name of the setting; null if the form is valid
 */
export function findConnectionUrlProblem(url: string): string | null {
  if (isSocketUrl(url)) return null;
  const servers = splitHosts(url);
  // Only a URL with one host can leave it out.
  const localhost = servers.length === 1 ? '@localhost/' : '@ /';
  const isValid = (server: string): boolean =>
    isPostgresUrl(server) && URL.canParse(server.replace('@/', localhost));
  return servers.every(isValid) ? null : 'must look like postgres://user:password@db.example.org:5432/name';
}

/** Variables of libpq for parameters of the URL that are not in it. The driver itself reads the others. */
const libpqVariables: Readonly<Record<string, string>> = {
  PGCHANNELBINDING: 'channel_binding',
  PGSSLMODE: 'sslmode',
  PGSSLROOTCERT: 'sslrootcert',
  PGSSLCERT: 'sslcert',
  PGSSLKEY: 'sslkey',
  PGTARGETSESSIONATTRS: 'target_session_attrs',
};

/**
 * Adds the parameters of libpq's environment variables to a URL.
 *
 * @param url with a valid form; that of a Unix socket is returned unchanged
 */
export function addLibpqVariables(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (!isPostgresUrl(url)) return url;
  const { base, parameters } = splitUrl(url);
  const added = Object.entries(libpqVariables).filter(
    ([variable, name]) => environment[variable] && !parameters.has(name),
  );
  for (const [variable, name] of added) parameters.set(name, environment[variable] ?? '');
  return added.length === 0 ? url : `${base}?${parameters.toString()}`;
}

/**
 * Reads the target of connections.
 *
 * @param url DATABASE_URL
 * @throws OperationalError naming a parameter that is wrong or not supported
 */
export function readConnectionUrl(url: string): ConnectionTarget {
  // A Unix socket has no TLS.
  if (isSocketUrl(url))
    return {
      client: { connectionString: url },
      servers: [url],
      tls: [false],
      sslMode: 'disable',
      requiresWrites: false,
    };
  const { base, parameters } = splitUrl(url);
  const given = new Map(parameters);
  const kept = new URLSearchParams();
  for (const [name, value] of given) {
    if (driverParameters.has(name)) kept.set(name, value);
    else if (name !== 'channel_binding' && !tlsParameters.has(name) && !neutralValues[name]?.includes(value))
      throw unsupportedError(name, value);
  }
  const { urls: servers, areSockets } = listServers(base, kept);
  const sslMode = areSockets ? 'disable' : readSslMode(given);
  const [connectionString = base] = servers;
  const sslnegotiation = readNegotiation(given, sslMode);
  const binding = readBinding(given, sslMode);
  const requiresChannelBinding = binding === 'require';
  return {
    client: {
      connectionString,
      enableChannelBinding: binding !== 'disable',
      requiresChannelBinding,
      ...(sslnegotiation && { sslnegotiation }),
    },
    servers,
    tls: requiresChannelBinding ? [createTlsReader(sslMode, given)] : listTlsAttempts(sslMode, given),
    sslMode,
    // Of several servers, the service needs the one that accepts writes.
    requiresWrites: ['read-write', 'primary'].includes(
      given.get('target_session_attrs') ?? (servers.length > 1 ? 'read-write' : 'any'),
    ),
  };
}

type Given = ReadonlyMap<string, string>;

/** The default is that of libpq: `verify-full` for the trusted roots, otherwise `prefer`. `ssl=true` is that of JDBC. */
function readSslMode(given: Given): SslMode {
  const ssl = given.get('ssl');
  if (ssl !== undefined && ssl !== 'true') throw unsupportedError('ssl', ssl);
  const usesRoots = given.get('sslrootcert') === 'system';
  const fallback = usesRoots ? 'verify-full' : ssl === 'true' ? 'require' : 'prefer';
  const value = given.get('sslmode') ?? fallback;
  const mode = sslModes.find((known) => known === value);
  if (!mode) throw unsupportedError('sslmode', value);
  if (usesRoots && mode !== 'verify-full')
    throw new OperationalError(
      `DATABASE_URL: sslmode=${mode} cannot be used with sslrootcert=system, because anyone can get a certificate from these authorities. Use sslmode=verify-full.`,
    );
  return mode;
}

function readBinding(given: Given, mode: SslMode): (typeof channelBindings)[number] {
  const value = given.get('channel_binding') ?? 'prefer';
  const binding = channelBindings.find((known) => known === value);
  if (!binding) throw unsupportedError('channel_binding', value);
  if (binding === 'require' && mode === 'disable')
    throw new OperationalError(
      'DATABASE_URL: channel_binding=require needs TLS. Use sslmode=require or stronger.',
    );
  return binding;
}

function readNegotiation(given: Given, mode: SslMode): 'direct' | null {
  const value = given.get('sslnegotiation') ?? 'postgres';
  if (value === 'postgres') return null;
  if (value !== 'direct') throw unsupportedError('sslnegotiation', value);
  if (['disable', 'allow', 'prefer'].includes(mode))
    throw new OperationalError('DATABASE_URL: sslnegotiation=direct needs sslmode=require or stronger.');
  return 'direct';
}

function listTlsAttempts(mode: SslMode, given: Given): readonly [Tls, ...Tls[]] {
  if (mode === 'disable') return [false];
  const tls = createTlsReader(mode, given);
  if (mode === 'allow') return [false, tls];
  return mode === 'prefer' ? [tls, false] : [tls];
}

/** Returns a function that reads the files, which a rotation of certificates replaces. */
function createTlsReader(mode: SslMode, given: Given): () => ConnectionOptions {
  const read = (): ConnectionOptions => readTlsOptions(mode, given);
  // A wrong parameter is found at the start.
  read();
  return read;
}

/** The root certificate file that libpq reads if the URL names none. With it, `require` verifies like `verify-ca`. */
const toDefaultRootFile = (): string => path.join(os.homedir(), '.postgresql', 'root.crt');

function readTlsOptions(mode: SslMode, given: Given): ConnectionOptions {
  const named = given.get('sslrootcert');
  const rootFile = named ?? (fs.existsSync(toDefaultRootFile()) ? toDefaultRootFile() : undefined);
  // Undefined means the authorities that Node.js trusts.
  const ca = rootFile === undefined || rootFile === 'system' ? undefined : readFile('sslrootcert', rootFile);
  if (mode === 'verify-ca' && ca === undefined)
    throw new OperationalError(
      'DATABASE_URL: sslmode=verify-ca needs sslrootcert=FILE, the certificate of the authority.',
    );
  const verifies = ['verify-ca', 'verify-full'].includes(mode) || (mode === 'require' && ca !== undefined);
  return {
    rejectUnauthorized: verifies,
    ...(ca !== undefined && { ca }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...readClientCertificate(given),
    ...readMinVersion(given),
  };
}

function readClientCertificate(given: Given): ConnectionOptions {
  const [certFile, keyFile, passphrase] = ['sslcert', 'sslkey', 'sslpassword'].map((name) => given.get(name));
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new OperationalError('DATABASE_URL: sslcert and sslkey must be set together.');
  if (certFile === undefined || keyFile === undefined) return {};
  return {
    cert: readFile('sslcert', certFile),
    key: readFile('sslkey', keyFile),
    ...(passphrase !== undefined && { passphrase }),
  };
}

function readMinVersion(given: Given): ConnectionOptions {
  const value = given.get('ssl_min_protocol_version') ?? 'TLSv1.2';
  if (value !== 'TLSv1.2' && value !== 'TLSv1.3') throw unsupportedError('ssl_min_protocol_version', value);
  return { minVersion: value };
}

function readFile(parameter: string, file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    throw new OperationalError(`DATABASE_URL: the file of ${parameter}, ${file}, cannot be read.`, { cause });
  }
}

/** Codes of Node.js for a certificate that does not verify. */
const certificateErrors =
  /^(ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Returns a sentence that names the parameter which causes a failed connection, or null for other causes. */
export function explainTlsError(error: unknown, mode: SslMode): string | null {
  if (!(error instanceof Error)) return null;
  const { code = '' } = error as NodeJS.ErrnoException;
  const prefix = `sslmode=${mode}: `;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `${prefix}the certificate of the server is for another name (${error.message}). Use the name of the certificate in DATABASE_URL, or sslmode=verify-ca, which does not compare it`;
  if (certificateErrors.test(code))
    return `${prefix}the certificate of the server is not trusted (${error.message}). Name its authority with sslrootcert=FILE, or use sslmode=require, which does not verify it`;
  if (error.message === 'The server does not support SSL connections')
    return `${prefix}the server does not offer TLS. Turn on ssl on the server, or use sslmode=prefer or disable`;
  if (/no encryption|SSL off/.test(error.message))
    return `${prefix}the server requires TLS (${error.message}). Use sslmode=require or stronger`;
  if (/SSL (encryption|on)\b/.test(error.message))
    return `${prefix}the server refuses TLS (${error.message}). Use sslmode=prefer or disable`;
  if (/tls|ssl/i.test(code) || /SSL connection|tlsv1|handshake|certificate/i.test(error.message))
    return `${prefix}${error.message}. Check sslmode, sslcert and sslkey`;
  return null;
}
