/** Composes the message of an email job: one recipient, at most one link, a fixed set of headers. */
import { isEmail } from '@lanternrock/contract/email';
import type { SendMailOptions } from 'nodemailer';
import { sanitizeText } from './sanitize-text.ts';
import { renderEmail } from './render-email.ts';
import type { ContentContext, EmailJob } from './email-job.ts';
import type { Sender } from './sender.ts';
import { buildEmailContent } from './email-content.ts';

interface MessageInput {
  readonly job: EmailJob;
  readonly sender: Sender;
  readonly context: ContentContext;
  /** The same for every attempt of a delivery, so that receivers can recognize duplicates. */
  readonly messageId: string;
  readonly date: Date;
}

/** Returns the Message-ID of a delivery: the same for every attempt with the same sender. */
export const formatMessageId = (deliveryId: string, sender: Sender): string =>
  `<${deliveryId}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`;

/**
 * Passes email addresses as objects and the envelope explicitly: a library that parses a string with a comma would
 * find two recipients.
 *
 * @throws TypeError if the recipient is not exactly one email address; callers validate it first
 */
export function composeMessage({ job, sender, context, messageId, date }: MessageInput): SendMailOptions {
  if (!isEmail(job.to)) throw new TypeError('The recipient must be one email address');
  const content = buildEmailContent(job, context);
  const senderName = sanitizeText(sender.name);
  // A name with a period differs once it is sanitized.
  const isProduct = senderName === sanitizeText(context.productName);
  const { html, text } = renderEmail(content, job, {
    productName: context.productName,
    ...(isProduct ? {} : { senderName }),
  });
  return {
    from: { name: senderName.replaceAll('\u2060', ''), address: sender.address },
    to: { name: '', address: job.to },
    envelope: { from: sender.address, to: [job.to] },
    subject: content.subject.replace(/\s+/g, ' '),
    text,
    html,
    messageId,
    date,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    // Message content must never make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
