/** Converts SMTP_URL, SMTP_TLS, SMTP_EHLO_NAME and DKIM_* to the options of the mail library. */
import { createPrivateKey } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import type { SMTPPoolOptions } from 'nodemailer';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { Config } from '../config/settings.ts';
import { isLoopback } from '../http/local-access.ts';

/** Submission with STARTTLS (RFC 6409) and with implicit TLS (RFC 8314). */
const standardPorts = { smtp: 587, smtps: 465 } as const;

/**
 * Returns the connection options. `smtps:` uses implicit TLS; `smtp:` requires STARTTLS unless SMTP_TLS changes this.
 * A server on a loopback address needs no TLS, and its certificate is not verified.
 *
 * @param config with an SMTP_URL
 * @param timeoutMs timeout for the connection, the greeting and an idle socket, in milliseconds
 * @throws OperationalError if the DKIM key cannot be read
 */
export function buildSmtpOptions(config: Config, timeoutMs: number): SMTPPoolOptions & { pool: true } {
  const url = new URL(config.SMTP_URL);
  const local = isLoopback(url.hostname);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    pool: true,
    name: getEhloName(config),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? standardPorts.smtps : standardPorts.smtp) : Number(url.port),
    secure,
    requireTLS: !secure && config.SMTP_TLS === 'required' && !local,
    ignoreTLS: !secure && config.SMTP_TLS === 'off',
    ...(local ? { tls: { rejectUnauthorized: false } } : {}),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    maxConnections: 3,
    // An email may have arrived although its connection was lost. The delivery worker decides about a retry.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...buildDkimOptions(config),
  };
}

/** Names that mean this machine or a private network: a mail server cannot look them up. */
const privateName =
  /^\[|^[\d.]+$|^localhost$|^[^.]*$|\.(?:local|localdomain|localhost|lan|home|internal|test|invalid|home\.arpa)$/i;

export const isPublicName = (name: string): boolean => !privateName.test(name);

/**
 * Returns the name by which the service introduces itself to the mail server (EHLO, RFC 5321 section 4.1.1.1): the first
 * name of SMTP_EHLO_NAME, the host of SITE_URL, the domain of MAIL_FROM and this machine that other machines can look up.
 * Without one, it is an address literal.
 */
export function getEhloName(config: Config, machine = os.hostname()): string {
  const { SMTP_EHLO_NAME, SITE_URL, MAIL_FROM } = config;
  if (SMTP_EHLO_NAME !== '') return SMTP_EHLO_NAME;
  const names = [new URL(SITE_URL).hostname, MAIL_FROM.slice(MAIL_FROM.lastIndexOf('@') + 1), machine];
  return names.find(isPublicName) ?? '[127.0.0.1]';
}

function buildDkimOptions(config: Config): Pick<SMTPPoolOptions, 'dkim'> {
  const { DKIM_DOMAIN, DKIM_SELECTOR, DKIM_KEY_FILE } = config;
  if (DKIM_KEY_FILE === '') return {};
  try {
    const privateKey = fs.readFileSync(DKIM_KEY_FILE, 'utf8');
    createPrivateKey(privateKey);
    return { dkim: { domainName: DKIM_DOMAIN, keySelector: DKIM_SELECTOR, privateKey } };
  } catch (error) {
    throw new OperationalError(`DKIM_KEY_FILE ${DKIM_KEY_FILE} cannot be read as a private key in PEM.`, {
      cause: error,
    });
  }
}
