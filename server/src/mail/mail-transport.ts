/** The two ways a mail can go: to the configured mail server, or into the mailbox folder. */
import type { SendMailOptions } from 'nodemailer';
import type { Config } from '../config.ts';
import { createMailbox } from './mailbox.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/** What one try came to. */
export interface Attempt {
  readonly outcome: 'handed_over' | 'refused' | 'timed_out';
  /** True when the same mail may succeed later: connection trouble, sign-in trouble, 4xx. */
  readonly temporary: boolean;
  /** The other side's words. */
  readonly answer: string | null;
}

export interface MailTransport {
  /** Never throws; ends within `sendLimit`. */
  deliver(message: SendMailOptions): Promise<Attempt>;
  close(): Promise<void>;
}

/** Longest time for one mail, in milliseconds: an administrator waits for the answer. */
export const sendLimit = 10_000;

/** @throws StartFailure when SMTP_URL or the DKIM settings cannot be used. */
export const createMailTransport = (config: Config): MailTransport =>
  config.SMTP_URL === '' ? createMailbox(config) : createSmtpTransport(config, sendLimit);
