/** The two ways a mail can go: to the configured mail server, or into the mailbox folder. */
import type { Config } from '../config.ts';
import { sendLimit, type MailTransport } from './mail-transport.ts';
import { createMailbox } from './mailbox.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/**
 * @param limit milliseconds for one mail
 * @throws StartFailure for a DKIM key that cannot be read
 */
export const createMailTransport = (config: Config, limit = sendLimit): MailTransport =>
  config.SMTP_URL === '' ? createMailbox(config) : createSmtpTransport(config, limit);
