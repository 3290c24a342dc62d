/** Reads SMTP_URL, SMTP_TLS and DKIM_* into what the mail library takes. */
import { createPrivateKey } from 'node:crypto';
import fs from 'node:fs';
import type { SMTPPoolOptions } from 'nodemailer';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { Config } from '../config/settings.ts';
import { isLoopback } from '../http/loopback.ts';

/** Submission with STARTTLS (RFC 6409) and with TLS from the first byte (RFC 8314). */
const standardPorts = { smtp: 587, smtps: 465 } as const;

/**
 * TLS rules: `smtps:` speaks TLS at once; `smtp:` must be upgraded by STARTTLS unless SMTP_TLS says
 * otherwise; a server on this machine may go without and may show a certificate of its own.
 * @param config with an SMTP_URL
 * @param limit milliseconds for connecting, for the greeting and for silence on the socket.
 * @throws OperationalError for a DKIM key that cannot be read
 */
export function smtpOptions(config: Config, limit: number): SMTPPoolOptions & { pool: true } {
  const url = new URL(config.SMTP_URL);
  const local = isLoopback(url.hostname);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    pool: true,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? standardPorts.smtps : standardPorts.smtp) : Number(url.port),
    secure,
    requireTLS: !secure && config.SMTP_TLS === 'required' && !local,
    ignoreTLS: !secure && config.SMTP_TLS === 'off',
    ...(local ? { tls: { rejectUnauthorized: false } } : {}),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: limit,
    greetingTimeout: limit,
    socketTimeout: limit,
    dnsTimeout: limit,
    maxConnections: 3,
    // A mail that broke off after its last byte may have arrived; whether to send again is decided above.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...dkimOptions(config),
  };
}

function dkimOptions(config: Config): Pick<SMTPPoolOptions, 'dkim'> {
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
