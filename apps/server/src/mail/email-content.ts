/**
 * Content of all emails, as plain data that `render-email.ts` converts to HTML and plain text. The sentences of notices are
 * in `notice-content.ts` and `notice-advice.ts`. Nothing is escaped here;
 * user-supplied values are sanitized and appear only at fixed places in a sentence.
 */
import { sanitizeNote, sanitizeText } from './sanitize-text.ts';
import type { ContentContext, EmailContent, EmailJob, EmailKind, NoticeKind } from './email-job.ts';
import { formatDateWithZone } from './date-with-zone.ts';
import { isNotice, buildNoticeContent } from './notice-content.ts';
import { getNoticeAdvice, getNoticeHelp, buildNoticeLink } from './notice-advice.ts';
import { formatNoticeDetails } from './notice-details.ts';

type ContentBuilder<Kind extends EmailKind> = (job: EmailJob<Kind>, context: ContentContext) => EmailContent;

/** @param prefix for example "This link expires on" */
function expiryNote(job: EmailJob, context: ContentContext, prefix: string): string[] {
  return job.expiresAt ? [`${prefix} ${formatDateWithZone(job.expiresAt, context.timeZone)}.`] : [];
}

const greeting = (job: EmailJob): string => {
  const name = sanitizeText(job.data.fullName ?? '');
  return name === '' ? 'Hello,' : `Hello ${name},`;
};

const notRequested = 'If you did not request this, you can ignore this email. Nothing will change.';

/** The part that invitations of administrators and of members share. */
const noteQuote = (note: string, inviter: string): Pick<EmailContent, 'quote'> =>
  note === ''
    ? {}
    : { quote: { title: inviter === '' ? 'Note:' : `Note from ${inviter}:`, lines: sanitizeNote(note) } };

const invitationNotes = (job: EmailJob, context: ContentContext): readonly string[] => [
  // A later email with an earlier expiry ends this link, too.
  ...expiryNote(job, context, 'This link expires no later than'),
  'You can use the link more than once until you set your password.',
  'If you did not expect this invitation, you can ignore this email.',
];

const invitation: ContentBuilder<'invitation'> = (job, context) => {
  // An invitation from the command line need not name an inviter.
  const inviter = sanitizeText(job.data.inviter ?? '');
  const invited = inviter === '' ? 'You have been invited' : `${inviter} has invited you`;
  return {
    subject: `You have been invited to ${context.productName}`,
    heading: `Your invitation to ${context.productName}`,
    paragraphs: [
      greeting(job),
      // The Auth API also invites users who do not become administrators.
      `${invited} to ${context.productName}${job.invitationId ? ' as an administrator' : ''}. Set a new password to get started.`,
    ],
    ...noteQuote(job.data.note ?? '', inviter),
    action: 'Set your password',
    notes: invitationNotes(job, context),
  };
};

const memberInvitation: ContentBuilder<'member_invitation'> = (job, context) => {
  const inviter = sanitizeText(job.data.inviter ?? '');
  const account = sanitizeText(job.data.account);
  const invited = inviter === '' ? 'You have been invited' : `${inviter} has invited you`;
  return {
    subject: `You have been invited to ${account} on ${context.productName}`,
    heading: `Your invitation to ${account}`,
    paragraphs: [
      greeting(job),
      `${invited} to become a member of ${account} on ${context.productName}. Set a password to accept.`,
      `As a member you can sign in and see ${account}. You do not become an administrator.`,
      ...(job.data.endsAt === undefined
        ? []
        : [`Your access ends on ${formatDateWithZone(new Date(job.data.endsAt), context.timeZone)}.`]),
    ],
    ...noteQuote(job.data.note ?? '', inviter),
    action: 'Set your password',
    notes: invitationNotes(job, context),
  };
};

const recovery: ContentBuilder<'recovery'> = (job, context) => ({
  subject: `Reset your ${context.productName} password`,
  heading: 'Set a new password',
  paragraphs: [
    greeting(job),
    `We received a request to reset the password of your ${context.productName} account.`,
  ],
  action: 'Set a new password',
  notes: [...expiryNote(job, context, 'This link expires on'), notRequested],
});

const confirmation: ContentBuilder<'confirmation'> = (job, context) => ({
  subject: `Confirm your email address for ${context.productName}`,
  heading: 'Confirm your email address',
  paragraphs: [greeting(job), `Confirm your email address to start using ${context.productName}.`],
  action: 'Confirm email address',
  notes: [...expiryNote(job, context, 'This link expires on'), notRequested],
});

const magicLink: ContentBuilder<'magic_link'> = (job, context) => ({
  subject: `Sign in to ${context.productName}`,
  heading: `Sign in to ${context.productName}`,
  paragraphs: [greeting(job), 'Use the link or the code below to sign in.'],
  action: 'Sign in',
  notes: [...expiryNote(job, context, 'This link works once and expires on'), notRequested],
});

const emailChange: ContentBuilder<'email_change'> = (job, context) => {
  const newEmail = sanitizeText(job.data.newEmail ?? '');
  const request = `We received a request to change the email address of your ${context.productName} account`;
  return {
    subject: `Confirm your email address change for ${context.productName}`,
    heading: 'Confirm the change of your email address',
    paragraphs: [
      greeting(job),
      newEmail === '' ? `${request}.` : `${request} to ${newEmail}.`,
      ...(job.data.needsBoth
        ? ['The change takes effect when both the current and the new email address have confirmed it.']
        : []),
    ],
    action: 'Confirm change',
    notes: [...expiryNote(job, context, 'This link expires on'), notRequested],
  };
};

const reauthentication: ContentBuilder<'reauthentication'> = (job, context) => ({
  subject: `Your code for ${context.productName}`,
  heading: "Confirm it's you",
  paragraphs: [greeting(job), 'Enter this code to confirm your identity.'],
  notes: [
    ...expiryNote(job, context, 'This code expires on'),
    'Do not share this code with anyone. No administrator or operator will ask for it.',
  ],
});

const othersReason =
  'All administrators except the one who acted receive this email, at most one every ten minutes. The next one contains the notices in between.';

/** Why the recipient gets the email. */
const reasons: Partial<Record<NoticeKind, string>> = {
  administrator_invited: othersReason,
  administrator_changed: othersReason,
  sign_in_failed:
    'You receive at most one email a day about this kind of attempt with the same email address or phone number.',
};

/** Notices to the user whose access changed. */
const ownEvents: ReadonlySet<string> = new Set(['own_removed', 'own_restored', 'own_end_changed']);

function getReason(job: EmailJob<NoticeKind>): string {
  if (job.kind === 'factors_reset')
    return `${job.data.user === undefined ? 'You' : 'The user'} and all administrators are informed.`;
  if (job.kind === 'administrator_changed' && ownEvents.has(job.data.event))
    return 'You receive this email because your access has changed.';
  return reasons[job.kind] ?? 'You receive this email when your sign-in settings change.';
}

function notice(job: EmailJob<NoticeKind>, context: ContentContext): EmailContent {
  const { earlier = [], omitted = 0 } = job;
  const { subject, heading, sentence } = buildNoticeContent(job, context.productName);
  const count = earlier.length + omitted + 1;
  const summary = [
    ...earlier.map((data) => summaryLine({ ...job, data } as EmailJob<NoticeKind>, context)),
    ...(omitted > 0 ? [`${omitted} more (not listed).`] : []),
  ];
  const details = formatNoticeDetails(job.data, context);
  return {
    subject: summarySubject(subject, count, subjectsOf(job, earlier, context)),
    heading,
    paragraphs: [greeting(job), sentence, ...(summary.length > 0 ? ['Earlier notices:', ...summary] : [])],
    details: job.kind === 'sign_in_failed' && details.length > 0 ? ['Last attempt:', ...details] : details,
    advice: getNoticeAdvice(job),
    ...buildNoticeLink(job, context),
    notes: [...getNoticeHelp(job), getReason(job)],
  };
}

const subjectsOf = (
  job: EmailJob<NoticeKind>,
  earlier: readonly unknown[],
  { productName }: ContentContext,
): readonly string[] =>
  earlier.map((data) => buildNoticeContent({ ...job, data } as EmailJob<NoticeKind>, productName).subject);

/** Notices of one kind can have several subjects, for example those of an invitation and of its acceptance. */
const summarySubject = (subject: string, count: number, earlier: readonly string[]): string => {
  if (count === 1) return subject;
  if (earlier.every((each) => each === subject)) return `${count} notices: ${subject}`;
  return `${subject}, and ${count === 2 ? '1 more notice' : `${count - 1} more notices`}`;
};

/** One earlier notice in a summary: what was done, then when and from where. */
const summaryLine = (job: EmailJob<NoticeKind>, context: ContentContext): string =>
  [buildNoticeContent(job, context.productName).sentence, formatNoticeDetails(job.data, context).join(', ')]
    .filter((text) => text !== '')
    .join(' ');

const auditNote = 'Administrators receive this email at most once a day.';

const auditVerified: ContentBuilder<'audit_head'> = (job, context) => {
  const { position, hash, at } = job.data;
  const date = formatDateWithZone(new Date(at), context.timeZone);
  return {
    subject: `Audit log of ${context.productName}: sealed up to entry ${position}`,
    heading: 'The audit log was verified',
    paragraphs: [
      greeting(job),
      `The audit log of ${context.productName} is sealed up to entry ${position}. All sealed entries were verified on ${date}.`,
      `Entry and hash: ${position}:${hash}`,
    ],
    notes: [
      'Keep this email. With its entry number and hash, the operator of the service can check later whether earlier entries were changed.',
      auditNote,
    ],
  };
};

const auditDamaged: ContentBuilder<'audit_head'> = (job, context) => {
  const { position, hash, at, problem } = job.data;
  const failed = `The audit log of ${context.productName} failed its verification`;
  const date = formatDateWithZone(new Date(at), context.timeZone);
  return {
    subject: failed,
    heading: 'The audit log failed its verification',
    paragraphs: [
      greeting(job),
      `${failed} on ${date}: ${sanitizeText(problem)}`,
      `Entry and hash: ${position}:${hash}`,
      'Contact the operator of the service.',
    ],
    notes: ['Keep this email as evidence.', auditNote],
  };
};

const auditHead: ContentBuilder<'audit_head'> = (job, context) =>
  (job.data.problem ? auditDamaged : auditVerified)(job, context);

const backupProblem: ContentBuilder<'backup_problem'> = (job, context) => {
  const { at, problem, lastAt } = job.data;
  const formatTime = (time: string): string => formatDateWithZone(new Date(time), context.timeZone);
  const isFailure = problem !== '';
  return {
    subject: `A backup of ${context.productName} ${isFailure ? 'failed' : 'is overdue'}`,
    heading: `A backup ${isFailure ? 'failed' : 'is overdue'}`,
    paragraphs: [
      greeting(job),
      isFailure
        ? `The service could not write a backup on ${formatTime(at)}: ${sanitizeText(problem)}`
        : `The backup that was due on ${formatTime(at)} is not complete.`,
      lastAt
        ? `The last complete backup contains the data of ${formatTime(lastAt)}.`
        : 'There is no complete backup yet.',
      'Contact the operator of the service.',
    ],
    notes: ['Administrators receive this email at most once a day.'],
  };
};

const test: ContentBuilder<'test'> = (job, context) => ({
  subject: `Test email from ${context.productName}`,
  heading: 'Test email',
  paragraphs: [greeting(job), `An administrator of ${context.productName} requested this test email.`],
  notes: ['No action is needed.'],
});

const builders: { readonly [Kind in Exclude<EmailKind, NoticeKind>]: ContentBuilder<Kind> } = {
  invitation,
  recovery,
  confirmation,
  magic_link: magicLink,
  email_change: emailChange,
  reauthentication,
  audit_head: auditHead,
  backup_problem: backupProblem,
  test,
  member_invitation: memberInvitation,
};

/** Returns the texts of an email. */
export function buildEmailContent(job: EmailJob, context: ContentContext): EmailContent {
  if (isNotice(job)) return notice(job, context);
  // The compiler does not see that the builder belongs to the kind of the job.
  return builders[job.kind](job as never, context);
}
