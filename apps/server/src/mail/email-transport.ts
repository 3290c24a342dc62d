/** Selects the transport of all emails. */
import type { Config } from '../config/settings.ts';
import { sendTimeoutMs, type EmailTransport } from './email-job.ts';
import { createMailboxTransport } from './mailbox.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/**
 * Creates the transport to the configured mail server, or to the local mailbox without SMTP_URL.
 *
 * @param timeoutMs maximum time for one email, in milliseconds
 * @throws OperationalError if the DKIM key cannot be read
 */
export const createEmailTransport = (config: Config, timeoutMs = sendTimeoutMs): EmailTransport =>
  config.SMTP_URL === '' ? createMailboxTransport(config) : createSmtpTransport(config, timeoutMs);
