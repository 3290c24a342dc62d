/** The public address and the mail server. Sends no mail. */
import { createTransport } from 'nodemailer';
import type { Config } from '../config/settings.ts';
import { isLoopback } from '../http/loopback.ts';
import type { Sender } from '../mail/sender.ts';
import { smtpOptions } from '../mail/smtp-settings.ts';
import { isMailboxEnabled } from '../http/local-access.ts';
import { failed, ok, warning, errorMessage, type CheckResult } from './check-result.ts';

/** Longest wait for the mail server, in milliseconds. */
const patience = 10_000;

export function checkSite({ SITE_URL, HOST, TRUSTED_PROXIES, SMTP_URL, MIGRATE }: Config): CheckResult[] {
  const { protocol, hostname } = new URL(SITE_URL);
  const here = isLoopback(hostname);
  const findings =
    protocol === 'https:' || here
      ? [ok('address', SITE_URL)]
      : [
          failed(
            'address',
            `${SITE_URL} is not encrypted: passwords and links travel in the open`,
            'Let a proxy end TLS, and set SITE_URL to the https address.',
          ),
        ];
  if (!here && TRUSTED_PROXIES.length === 0)
    findings.push(
      warning(
        'proxy',
        'no proxy is trusted, so limits per network address count everybody behind it as one',
        'Set TRUSTED_PROXIES to the address of the proxy.',
      ),
    );
  if (here && SMTP_URL !== '' && MIGRATE)
    findings.push(
      warning(
        'address',
        `links in mails lead to ${hostname}, which everybody's own machine is`,
        'Set SITE_URL to the address at which people reach the console.',
      ),
    );
  if (!isLoopback(HOST) && protocol !== 'https:')
    findings.push(
      warning(
        'proxy',
        `HOST=${HOST} is reachable without encryption`,
        'Leave HOST at 127.0.0.1 behind a proxy.',
      ),
    );
  return findings;
}

/** In whose name mails leave. */
export function checkSender({ address }: Sender): CheckResult {
  return address.endsWith('.localdomain')
    ? warning(
        'sender',
        `mails come from ${address}, which most mail servers refuse`,
        'Save a sender under Notifications, or set MAIL_FROM.',
      )
    : ok('sender', address);
}

/** Connects, greets, and signs in when SMTP_URL has a user. */
export async function checkMailServer(config: Config): Promise<CheckResult> {
  if (config.SMTP_URL === '')
    return isMailboxEnabled(config)
      ? warning(
          'mail',
          'no SMTP_URL: emails stay in the local mailbox and reach no recipient',
          'Set SMTP_URL, or read them at the mailbox link; "lanternrock status" says where it is.',
        )
      : warning('mail', 'no SMTP_URL: mails are kept and reach nobody', 'Set SMTP_URL.');
  try {
    const { pool: _pool, ...options } = smtpOptions(config, patience);
    const transport = createTransport(options);
    try {
      await transport.verify();
    } finally {
      transport.close();
    }
    return ok('mail', `${new URL(config.SMTP_URL).hostname} greets and takes the sign-in`);
  } catch (error) {
    return failed(
      'mail',
      `the mail server: ${errorMessage(error)}`,
      'Check SMTP_URL, SMTP_TLS and the network.',
    );
  }
}
