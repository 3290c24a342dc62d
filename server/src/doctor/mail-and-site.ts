/** The public address and the mail server. Sends no mail. */
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { isLoopback } from '../loopback.ts';
import type { Sender } from '../mail/sender.ts';
import { smtpOptions } from '../mail/smtp-settings.ts';
import { hasMailbox } from '../web/at-this-machine.ts';
import { broken, fine, risky, wordsOf, type Finding } from './finding.ts';

/** Longest wait for the mail server, in milliseconds. */
const patience = 10_000;

export function checkSite({ SITE_URL, HOST, TRUSTED_PROXIES, SMTP_URL, MIGRATE }: Config): Finding[] {
  const { protocol, hostname } = new URL(SITE_URL);
  const here = isLoopback(hostname);
  const findings =
    protocol === 'https:' || here
      ? [fine('address', SITE_URL)]
      : [
          broken(
            'address',
            `${SITE_URL} is not encrypted: passwords and links travel in the open`,
            'Let a proxy end TLS, and set SITE_URL to the https address.',
          ),
        ];
  if (!here && TRUSTED_PROXIES.length === 0)
    findings.push(
      risky(
        'proxy',
        'no proxy is trusted, so limits per network address count everybody behind it as one',
        'Set TRUSTED_PROXIES to the address of the proxy.',
      ),
    );
  if (here && SMTP_URL !== '' && MIGRATE)
    findings.push(
      risky(
        'address',
        `links in mails lead to ${hostname}, which everybody's own machine is`,
        'Set SITE_URL to the address at which people reach the console.',
      ),
    );
  if (!isLoopback(HOST) && protocol !== 'https:')
    findings.push(
      risky(
        'proxy',
        `HOST=${HOST} is reachable without encryption`,
        'Leave HOST at 127.0.0.1 behind a proxy.',
      ),
    );
  return findings;
}

/** In whose name mails leave. */
export function checkSender({ address }: Sender): Finding {
  return address.endsWith('.localdomain')
    ? risky(
        'sender',
        `mails come from ${address}, which most mail servers refuse`,
        'Save a sender under Notifications, or set MAIL_FROM.',
      )
    : fine('sender', address);
}

/** Connects, greets, and signs in when SMTP_URL has a user. */
export async function checkMail(config: Config): Promise<Finding> {
  if (config.SMTP_URL === '')
    return hasMailbox(config)
      ? risky(
          'mail',
          'no SMTP_URL: emails stay in the local mailbox and reach no recipient',
          'Set SMTP_URL, or read them at the mailbox link; "lanternrock status" says where it is.',
        )
      : risky('mail', 'no SMTP_URL: mails are kept and reach nobody', 'Set SMTP_URL.');
  try {
    const { pool: _pool, ...options } = smtpOptions(config, patience);
    const transport = createTransport(options);
    try {
      await transport.verify();
    } finally {
      transport.close();
    }
    return fine('mail', `${new URL(config.SMTP_URL).hostname} greets and takes the sign-in`);
  } catch (error) {
    return broken('mail', `the mail server: ${wordsOf(error)}`, 'Check SMTP_URL, SMTP_TLS and the network.');
  }
}
