/** The two ways a mail can go: to the configured mail server, or into the mailbox folder. */
import type { Config } from '../config/settings.ts';
import { sendTimeoutMs, type EmailTransport } from './email-transport.ts';
import { createMailboxTransport } from './mailbox.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/**
 * @param limit milliseconds for one mail
 * @throws OperationalError for a DKIM key that cannot be read
 */
export const createEmailTransport = (config: Config, limit = sendTimeoutMs): EmailTransport =>
  config.SMTP_URL === '' ? createMailboxTransport(config) : createSmtpTransport(config, limit);
