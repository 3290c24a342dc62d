/** Every text of the Admins screen. Quoted ones of the specification are to the letter. */
const domainHint = 'The sending domain may need to be verified with your email provider.';

/** What the mail server said, where it said something. */
const withReason = (sentence: string, reason: string | undefined): string =>
  reason === undefined || reason === '' ? sentence : `${sentence} (${reason})`;

export const adminsText = {
  title: 'Admins',
  invite: 'Invite Admin',
  columns: {
    select: 'Select',
    name: 'Name',
    email: 'Email',
    invitedAt: 'Invited At',
    status: 'Status',
    expiresAt: 'Expires At',
    actions: 'Actions',
  },
  selectAll: 'Select all invitations',
  select: (name: string) => `Select ${name}`,
  resend: 'Resend',
  resending: 'Sending...',
  /** Asked where sending again takes back what somebody decided. */
  resendQuestion: {
    title: (name: string) => `Invite ${name} again?`,
    revoked: (email: string) =>
      `The invitation was revoked. ${email} gets a new link, and becomes an administrator by setting a password with it.`,
    removed: (email: string) =>
      `They were removed as an administrator. ${email} gets a new link, and becomes an administrator again by setting a new password with it.`,
    confirm: 'Send invitation',
  },
  /** Invitations whose email did not leave. */
  unsent: {
    line: (count: number) => `${count} ${count === 1 ? 'invitation was' : 'invitations were'} not sent.`,
    resendAll: 'Resend all unsent',
    progress: (current: number, total: number) => `Sending ${current} of ${total}...`,
    sending: 'Sending...',
    sent: 'Email sent',
    notSent: (reason: string | null | undefined) => withReason('Email not sent', reason ?? undefined),
    result: (sent: number, total: number, stopped: string | null) =>
      `${sent} of ${total} sent.${stopped === null ? '' : ` ${stopped}`}`,
  },
  empty: 'No invitations sent yet',
  emptyDescription: 'Invite the first administrator: the email carries a link to set a password.',
  loadFailed: 'The invitations could not be loaded',
  panel: {
    unnamed: 'Invitation',
    email: 'Email',
    invited: 'Invited At',
    expires: 'Expires At',
    lastSent: 'Last sent',
    sendCount: 'Emails sent',
    never: 'Never',
    notFound: 'This invitation does not exist, or you may not see it.',
  },
  dialog: {
    title: 'Invite New Administrator',
    description: 'They get an email with a link to set their password.',
    fullName: 'Full Name',
    email: 'Email',
    cancel: 'Cancel',
    submit: 'Send Invitation',
    submitting: 'Sending...',
  },
  discard: {
    title: 'Discard the invitation?',
    description: 'It has not been sent.',
    confirm: 'Discard invitation',
    cancel: 'Keep editing',
  },
  toast: {
    inviteFailed: 'Failed to send invitation',
    invited: 'Invitation sent!',
    invitedDescription: (email: string) => `An invitation email has been sent to ${email}`,
    createdWithoutMail: 'User Created Successfully',
    createdWithoutMailDescription: (reason: string | undefined) =>
      `${withReason('The email could not be sent.', reason)} ${domainHint}`,
    resendFailed: 'Failed to resend invitation',
    resent: 'Email resent!',
    notSent: 'Email Not Sent',
    notSentDescription: (reason: string | undefined) =>
      `${withReason("The invitation exists but email couldn't be sent.", reason)} ${domainHint}`,
  },
} as const;
