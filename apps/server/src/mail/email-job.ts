/** Emails to send, the interface of transports that send them, and the outcomes. */
import type { SendMailOptions } from 'nodemailer';
import type { EmailInviter } from '@lanternrock/contract/invitations';
import { authEmailKinds, noticeKinds as authNoticeKinds, type AuthEmail } from '@lanternrock/auth/ports';

/** Emails about a change to sign-in settings, or to the rights of others. */
export const noticeKinds = [...authNoticeKinds, 'factors_reset', 'administrator_invited'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const emailKinds = [
  ...authEmailKinds,
  'factors_reset',
  'administrator_invited',
  'audit_head',
  'test',
] as const;
export type EmailKind = (typeof emailKinds)[number];

/** `data` can also have `fullName`, `inviter` and `note`. It is sanitized when the email is composed; the worker deletes decoys. */
export interface EmailJob extends Omit<AuthEmail, 'kind' | 'reference'> {
  readonly kind: EmailKind;
  readonly invitationId?: string | null;
  /** Who caused the email of an invitation, for its history. */
  readonly inviter?: EmailInviter;
  /** `data` of earlier notices of the same kind to the same person, oldest first, which this email reports, too. */
  readonly earlier?: readonly Readonly<Record<string, string>>[];
  /** Number of further notices that the email only counts. */
  readonly omitted?: number;
}

/** `captured`: SMTP_URL is not set, so the email was saved in the local mailbox and was not sent. */
export type DeliveryOutcome = 'handed_over' | 'captured' | 'refused' | 'timed_out';

/** Returns true if the mail server accepted the email or the local mailbox captured it. */
export const succeeded = (outcome: DeliveryOutcome): boolean =>
  outcome === 'handed_over' || outcome === 'captured';

export interface DeliveryResult {
  readonly outcome: DeliveryOutcome;
  /** Time of the next attempt after a temporary failure; null if there is none. */
  readonly retryAt: Date | null;
  /** Response of the mail server or the connection error; null if there is none. */
  readonly answer: string | null;
}

/** Result of one delivery attempt. */
export interface DeliveryAttempt {
  readonly outcome: DeliveryOutcome;
  /** True if a retry may succeed: after connection errors, rejected credentials and 4xx responses. */
  readonly temporary: boolean;
  /** Response of the mail server or the connection error. */
  readonly serverResponse: string | null;
}

export interface EmailTransport {
  /** Sends one email within `sendTimeoutMs`. Never throws. */
  deliver(message: SendMailOptions): Promise<DeliveryAttempt>;
  close(): Promise<void>;
}

/** Maximum time for one email, in milliseconds. Short, because an administrator waits for the response. */
export const sendTimeoutMs = 10_000;

/** The text of an email, before it is rendered. */
export interface EmailContent {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Short lines below the first paragraphs, such as `Device: Firefox on Windows`. */
  readonly details?: readonly string[];
  /** What the recipient can do, below the details. */
  readonly advice?: string;
  /** Text of an administrator, below the paragraphs. */
  readonly quote?: { readonly title: string; readonly lines: readonly string[] };
  /** Label of the link. */
  readonly action?: string;
  /** Replaces the link of the job. To SITE_URL. */
  readonly link?: string;
  /** Notes in small print at the end of the email. */
  readonly notes: readonly string[];
}

/** What the texts say about the instance. */
export interface ContentContext {
  readonly productName: string;
  /** SITE_URL. */
  readonly siteUrl: string;
  /** IANA name of the time zone for dates. */
  readonly timeZone: string;
}
