/**
 * Texts of all emails, as plain data that `render-email.ts` converts to HTML and plain text. Nothing is escaped here;
 * user-supplied values are sanitized and appear only at fixed places in a sentence.
 */
import { sanitizeText } from './sanitize-text.ts';
import type { EmailJob, EmailKind, NoticeKind } from './email-job.ts';
import { isNotice, noticeContent } from './notice-content.ts';

export interface EmailContent {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Label of the link. */
  readonly action?: string;
  /** Notes in small print at the end of the email. */
  readonly notes: readonly string[];
}

export interface ContentContext {
  readonly productName: string;
  /** IANA name of the time zone for dates. */
  readonly timeZone: string;
}

type ContentBuilder = (job: EmailJob, context: ContentContext) => EmailContent;

/** Formats a date with its time zone, for example "Saturday, 28 November 2026 at 05:30 UTC". */
export function dateWithZone(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(date);
}

/** @param subject for example "This link" */
function expiryNote(job: EmailJob, context: ContentContext, subject: string): string[] {
  return job.expiresAt ? [`${subject} expires on ${dateWithZone(job.expiresAt, context.timeZone)}.`] : [];
}

const greeting = (job: EmailJob): string => {
  const name = sanitizeText(job.data?.['fullName'] ?? '');
  return name === '' ? 'Hello,' : `Hello ${name},`;
};

const notRequested = 'If you did not request this, you can ignore this email. Nothing will change.';

const invitation: ContentBuilder = (job, context) => ({
  subject: `You have been invited to ${context.productName}`,
  heading: `Your invitation to ${context.productName}`,
  paragraphs: [
    greeting(job),
    `You have been invited to ${context.productName} as a platform administrator. Set a password to get started.`,
  ],
  action: 'Set your password',
  notes: [
    ...expiryNote(job, context, 'This link'),
    'You can open it more than once until you set your password.',
    'If you did not expect this invitation, you can ignore this email.',
  ],
});

const recovery: ContentBuilder = (job, context) => ({
  subject: `Reset your ${context.productName} password`,
  heading: 'Set a new password',
  paragraphs: [
    greeting(job),
    `We received a request to reset the password of your ${context.productName} account.`,
  ],
  action: 'Set a new password',
  notes: [...expiryNote(job, context, 'This link'), notRequested],
});

const confirmation: ContentBuilder = (job, context) => ({
  subject: `Confirm your email address for ${context.productName}`,
  heading: 'Confirm your email address',
  paragraphs: [
    greeting(job),
    `Confirm that this email address is yours to start using ${context.productName}.`,
  ],
  action: 'Confirm email address',
  notes: [...expiryNote(job, context, 'This link'), notRequested],
});

const magicLink: ContentBuilder = (job, context) => ({
  subject: `Sign in to ${context.productName}`,
  heading: `Sign in to ${context.productName}`,
  paragraphs: [greeting(job), 'Select the button to sign in.'],
  action: 'Sign in',
  notes: [...expiryNote(job, context, 'This link works once and'), notRequested],
});

const emailChange: ContentBuilder = (job, context) => {
  const newEmail = sanitizeText(job.data?.['newEmail'] ?? '');
  const request = `We received a request to change the email address of your ${context.productName} account`;
  return {
    subject: `Confirm your new email address for ${context.productName}`,
    heading: 'Confirm your new email address',
    paragraphs: [greeting(job), newEmail === '' ? `${request}.` : `${request} to ${newEmail}.`],
    action: 'Confirm email address',
    notes: [...expiryNote(job, context, 'This link'), notRequested],
  };
};

const reauthentication: ContentBuilder = (job, context) => ({
  subject: `Your code for ${context.productName}`,
  heading: 'Confirm that it is you',
  paragraphs: [greeting(job), 'Enter this code to confirm your identity.'],
  notes: [
    ...expiryNote(job, context, 'This code'),
    `${context.productName} will never ask you for this code.`,
  ],
});

const defaultAdvice =
  'If this was not you, reset your password immediately and contact another administrator.';

/** What the recipient can do if another person made the change. */
const advice: Partial<Record<NoticeKind, string>> = {
  email_changed: 'If this was not you, contact another administrator immediately.',
  factors_reset: 'If you do not know why this was done, contact another administrator immediately.',
  sign_in_failed:
    'If this was you, no action is needed. Otherwise, your password has protected your account. Add a second factor to protect it further.',
};

/** Why the recipient gets the email. */
const reasons: Partial<Record<NoticeKind, string>> = {
  factors_reset: 'The user and all administrators receive this email.',
  sign_in_failed: 'You receive this email at most once a day.',
};

const notice =
  (kind: NoticeKind): ContentBuilder =>
  (job, context) => {
    const { subject, heading, sentence } = noticeContent(kind, job, context.productName);
    return {
      subject,
      heading,
      paragraphs: [greeting(job), sentence, advice[kind] ?? defaultAdvice],
      notes: [reasons[kind] ?? 'You receive this email when your sign-in settings change.'],
    };
  };

const test: ContentBuilder = (job, context) => ({
  subject: `Test email from ${context.productName}`,
  heading: 'Your email settings work',
  paragraphs: [greeting(job), `An administrator of ${context.productName} requested this test email.`],
  notes: ['No action is needed.'],
});

const builders: Readonly<Record<Exclude<EmailKind, NoticeKind>, ContentBuilder>> = {
  invitation,
  recovery,
  confirmation,
  magic_link: magicLink,
  email_change: emailChange,
  reauthentication,
  test,
};

/** Returns the texts of an email. */
export const emailContent = (job: EmailJob, context: ContentContext): EmailContent =>
  (isNotice(job.kind) ? notice(job.kind) : builders[job.kind])(job, context);
