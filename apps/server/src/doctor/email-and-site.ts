/** Checks the site URL and the mail server. Sends no email. */
import { createTransport } from 'nodemailer';
import type { Config } from '../config/settings.ts';
import { hasOperatorSender, type Sender } from '../mail/sender.ts';
import { getEhloName, isPublicName, buildSmtpOptions } from '../mail/smtp-settings.ts';
import { isLoopback, isMailboxEnabled } from '../http/local-access.ts';
import { toErrorMessage } from '../errors.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';

const mailServerTimeoutMs = 10_000;

export function checkSite({ SITE_URL, HOST, TRUSTED_PROXIES, SMTP_URL, MIGRATE }: Config): CheckResult[] {
  const { protocol, hostname } = new URL(SITE_URL);
  const isLocal = isLoopback(hostname);
  const results =
    protocol === 'https:' || isLocal
      ? [ok('site URL', SITE_URL)]
      : [
          failed(
            'site URL',
            `${SITE_URL} is not encrypted: passwords and links are sent unencrypted`,
            'Terminate TLS at a proxy and set SITE_URL to the HTTPS URL.',
          ),
        ];
  if (!isLocal && TRUSTED_PROXIES.length === 0)
    results.push(
      warning(
        'proxy',
        'no proxy is trusted, so rate limits count all clients behind a proxy as one',
        'Set TRUSTED_PROXIES to the IP address of the proxy.',
      ),
    );
  if (isLocal && SMTP_URL !== '' && MIGRATE)
    results.push(
      warning(
        'site URL',
        `email links point to ${hostname}, which is the reader's own machine`,
        'Set SITE_URL to the URL of the console.',
      ),
    );
  if (!isLoopback(HOST) && protocol !== 'https:')
    results.push(
      warning(
        'proxy',
        `HOST=${HOST} is reachable without encryption`,
        'Set HOST to 127.0.0.1 behind a proxy.',
      ),
    );
  return results;
}

/** @param saved the sender that is saved in the console, or MAIL_FROM */
export function checkSender(saved: Sender, config: Config): CheckResult {
  const { address } = saved;
  if (address.endsWith('.localdomain'))
    return warning(
      'sender',
      `emails are sent from ${address}, which most mail servers reject`,
      'Set MAIL_FROM, or save a sender in the console under Notifications.',
    );
  return hasOperatorSender(config)
    ? ok('sender', `${address}; security notices: ${config.MAIL_FROM}`)
    : warning(
        'sender',
        `security notices are sent from ${address}, too, so an administrator can make them undeliverable`,
        'Set MAIL_FROM to an address that your mail server accepts; security notices then use it.',
      );
}

/** Checks the name by which the service introduces itself to the mail server (EHLO, RFC 5321 section 4.1.1.1). */
export function checkGreeting(config: Config, machine?: string): CheckResult {
  const name = getEhloName(config, machine);
  return !isPublicName(name) && !isLoopback(new URL(config.SMTP_URL).hostname)
    ? warning(
        'greeting',
        `the service introduces itself to the mail server as ${name}, which many mail servers reject`,
        'Set SMTP_EHLO_NAME to the full host name of this machine, for example console.example.org.',
      )
    : ok('greeting', `the service introduces itself to the mail server as ${name}`);
}

/** Connects to the mail server, and authenticates if SMTP_URL has a user. */
export async function checkMailServer(config: Config): Promise<CheckResult> {
  if (config.SMTP_URL === '')
    return isMailboxEnabled(config)
      ? warning(
          'email',
          'SMTP_URL is not set: emails are saved in the local mailbox and are not sent',
          'Set SMTP_URL, or read them at the mailbox link; run "lanternrock status" to find it.',
        )
      : warning('email', 'SMTP_URL is not set: emails are saved and are not sent', 'Set SMTP_URL.');
  try {
    const { pool: _pool, ...options } = buildSmtpOptions(config, mailServerTimeoutMs);
    const transport = createTransport(options);
    try {
      await transport.verify();
    } finally {
      transport.close();
    }
    const { hostname, username } = new URL(config.SMTP_URL);
    return ok('email', `${hostname} accepts connections${username === '' ? '' : ' and credentials'}`);
  } catch (error) {
    return failed(
      'email',
      `the mail server reported an error: ${toErrorMessage(error)}`,
      'Check SMTP_URL, SMTP_TLS and the network.',
    );
  }
}
