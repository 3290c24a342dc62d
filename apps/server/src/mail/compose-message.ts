/** Makes one message of a job and a sender: one recipient, one link, one fixed set of headers. */
import { isEmail } from '@lanternrock/contract/email';
import type { SendMailOptions } from 'nodemailer';
import { sanitizeText } from './sanitize-text.ts';
import { renderEmail } from './render-email.ts';
import type { EmailJob } from './email-job.ts';
import type { Sender } from './sender.ts';
import { emailContent, type ContentContext } from './email-content.ts';

export interface MessageInput {
  readonly job: EmailJob;
  readonly sender: Sender;
  readonly context: ContentContext;
  /** Fixed per delivery, so that a second try of the same mail is recognized as the same. */
  readonly messageId: string;
  readonly date: Date;
}

/** Stable Message-ID of a delivery. */
export const messageIdFor = (deliveryId: string, sender: Sender): string =>
  `<${deliveryId}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`;

/**
 * Addresses are passed as objects and the envelope explicitly: a library that parses a text with a
 * comma in it would find two recipients.
 * @throws TypeError when the recipient is not one plain address; callers validate before.
 */
export function composeMessage({ job, sender, context, messageId, date }: MessageInput): SendMailOptions {
  if (!isEmail(job.to)) throw new TypeError('A mail needs exactly one plain recipient');
  const wording = emailContent(job, context);
  const { html, text } = renderEmail(wording, job, context.productName);
  return {
    from: { name: sanitizeText(sender.name).replaceAll('\u2060', ''), address: sender.address },
    to: { name: '', address: job.to },
    envelope: { from: sender.address, to: [job.to] },
    subject: wording.subject.replace(/\s+/g, ' '),
    text,
    html,
    messageId,
    date,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    // A template must never be able to read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
