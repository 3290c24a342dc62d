/**
 * The words of every mail, as plain data: `layout.ts` makes HTML and text of it. Nothing here is
 * escaped, and nothing a stranger chose stands outside its fixed place in a sentence.
 */
import { sanitizeText } from './sanitize-text.ts';
import type { EmailJob, EmailKind, NoticeKind } from './email-job.ts';
import { isNotice, noticeContent } from './notice-content.ts';

export interface EmailContent {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Label of the one link. */
  readonly action?: string;
  /** Small print below. */
  readonly notes: readonly string[];
}

export interface ContentContext {
  readonly productName: string;
  /** IANA name of the zone in which times are printed. */
  readonly timeZone: string;
}

type Words = (job: EmailJob, context: ContentContext) => EmailContent;

/** For example "Saturday, 28 November 2026 at 05:30 UTC". */
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

function ends(job: EmailJob, context: ContentContext, what: string): string[] {
  return job.expiresAt ? [`${what} until ${dateWithZone(job.expiresAt, context.timeZone)}.`] : [];
}

const greeting = (job: EmailJob): string => {
  const name = sanitizeText(job.data?.['fullName'] ?? '');
  return name === '' ? 'Hello,' : `Hello ${name},`;
};

const notAsked = 'If you did not ask for this, you can ignore this mail: nothing changes.';

const invitation: Words = (job, context) => ({
  subject: `You are invited to ${context.productName}`,
  heading: `Your invitation to ${context.productName}`,
  paragraphs: [
    greeting(job),
    `You are invited to help run ${context.productName} as a platform administrator. Set a password, and you can start.`,
  ],
  action: 'Set your password',
  notes: [
    ...ends(job, context, 'The link works'),
    'You may open it as often as you like until your password is set.',
    'If you do not know what this is about, you can ignore this mail.',
  ],
});

const recovery: Words = (job, context) => ({
  subject: `Set a new password for ${context.productName}`,
  heading: 'Set a new password',
  paragraphs: [greeting(job), `Somebody asked for a new password for your ${context.productName} sign-in.`],
  action: 'Set a new password',
  notes: [...ends(job, context, 'The link works'), notAsked],
});

const confirmation: Words = (job, context) => ({
  subject: `Confirm your address for ${context.productName}`,
  heading: 'Confirm your e-mail address',
  paragraphs: [
    greeting(job),
    `Please confirm that this address is yours, so that you can use ${context.productName}.`,
  ],
  action: 'Confirm address',
  notes: [...ends(job, context, 'This works'), notAsked],
});

const magicLink: Words = (job, context) => ({
  subject: `Sign in to ${context.productName}`,
  heading: `Sign in to ${context.productName}`,
  paragraphs: [greeting(job), 'Here is the sign-in that you asked for.'],
  action: 'Sign in',
  notes: [...ends(job, context, 'It works once, and only'), notAsked],
});

const emailChange: Words = (job, context) => {
  const target = sanitizeText(job.data?.['newEmail'] ?? '');
  return {
    subject: `Confirm your new address for ${context.productName}`,
    heading: 'Confirm the change of your e-mail address',
    paragraphs: [
      greeting(job),
      target === ''
        ? `Somebody asked to change the address of your ${context.productName} sign-in.`
        : `Somebody asked to change the address of your ${context.productName} sign-in to ${target}.`,
    ],
    action: 'Confirm the change',
    notes: [...ends(job, context, 'This works'), notAsked],
  };
};

const reauthentication: Words = (job, context) => ({
  subject: `Your code for ${context.productName}`,
  heading: 'Confirm that it is you',
  paragraphs: [greeting(job), 'Type this code where you were asked for it.'],
  notes: [
    ...ends(job, context, 'It works'),
    `Nobody from ${context.productName} will ever ask you for this code.`,
  ],
});

/** What to do if it was another person. */
const advice: Partial<Record<NoticeKind, string>> = {
  email_changed: 'If that was not you, tell another administrator at once.',
  factors_reset: 'If you do not know why this was done, contact another administrator immediately.',
  sign_in_failed:
    'If that was you, there is nothing to do. If not, your password has kept the account closed; a second factor protects it further.',
};

/** Why the recipient gets the email. */
const reasons: Partial<Record<NoticeKind, string>> = {
  factors_reset: 'The user and all administrators get this email.',
  sign_in_failed: 'You get this email at most once a day.',
};

const notice =
  (kind: NoticeKind): Words =>
  (job, context) => {
    const { subject, heading, sentence } = noticeContent(kind, job, context.productName);
    return {
      subject,
      heading,
      paragraphs: [
        greeting(job),
        sentence,
        advice[kind] ??
          'If that was not you, ask for a new password on the sign-in page at once, and tell another administrator.',
      ],
      notes: [reasons[kind] ?? 'You get this mail whenever the way you sign in changes.'],
    };
  };

const test: Words = (job, context) => ({
  subject: `Test mail from ${context.productName}`,
  heading: 'The mail settings work',
  paragraphs: [
    greeting(job),
    `This is the test mail that an administrator of ${context.productName} asked for.`,
  ],
  notes: ['There is nothing to do.'],
});

const words: Readonly<Record<Exclude<EmailKind, NoticeKind>, Words>> = {
  invitation,
  recovery,
  confirmation,
  magic_link: magicLink,
  email_change: emailChange,
  reauthentication,
  test,
};

/** The words of one mail. */
export const emailContent = (job: EmailJob, context: ContentContext): EmailContent =>
  (isNotice(job.kind) ? notice(job.kind) : words[job.kind])(job, context);
