/** The two ways a mail can go: to the configured mail server, or into the mailbox folder. */
import type { Config } from '../config.ts';
import { sendLimit, type MailTransport } from './mail-transport.ts';
import { createMailbox } from './mailbox.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/** @throws StartFailure when SMTP_URL or the DKIM settings cannot be used. */
export const createMailTransport = (config: Config): MailTransport =>
  config.SMTP_URL === '' ? createMailbox(config) : createSmtpTransport(config, sendLimit);
