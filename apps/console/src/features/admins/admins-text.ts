/** Texts of the Admins screen, its View menu and its filters. */
import { formatCount } from '@lanternrock/contract/format-count';
import { maxUnsentInvitations } from '@lanternrock/contract/invitations';
import { type EmailFailure, nextStep, withReason } from '../../shared/email-failure-text.ts';
import { quoted } from '../../ui/quoted-text.tsx';
import type { StatusFilter } from './admins-search-params.ts';

const withStop = (sentence: string, reason: string | null): string =>
  reason === null ? sentence : `${sentence} ${reason}`;

interface RunCounts {
  readonly done: number;
  /** In the local mailbox, and not sent. */
  readonly saved: number;
}

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
  selectAll: 'Select all shown invitations',
  select: (name: string) => `Select ${name}`,
  resend: 'Resend',
  /** Of a removed administrator: the invitation also deletes their password. */
  inviteAgain: 'Invite again',
  resending: 'Sending...',
  /** Confirmation before a resend that reopens a revoked invitation or restores a removed administrator. */
  resendConfirmation: {
    title: (name: string) => `Invite ${quoted(name)} again?`,
    revoked: (email: string) =>
      `This invitation was revoked. With the new link, ${quoted(email)} can set a new password and become an administrator.`,
    removed: (email: string) =>
      `This administrator was removed. The invitation deletes the password, the other sign-in methods and the second factors of ${quoted(email)}. With the new link, they can set a new password and become an administrator again. To keep their password, use Restore instead.`,
    confirm: 'Send invitation',
  },
  /** Invitations whose email was not sent. */
  unsent: {
    line: (count: number) =>
      `${count === maxUnsentInvitations ? 'At least ' : ''}${formatCount(count)} invitation ${count === 1 ? 'email was' : 'emails were'} not confirmed as sent.`,
    resendAll: 'Resend all unsent',
  },
  /** A resend or revocation of several invitations. */
  run: {
    progress: {
      resend: (current: number, total: number) => `Sending ${current} of ${total}...`,
      revoke: (current: number, total: number) => `Revoking ${current} of ${total}...`,
    },
    running: { resend: 'Sending...', revoke: 'Revoking...' },
    sent: 'Email sent',
    saved: 'Email saved in the local mailbox, not sent',
    sendingElsewhere: 'Email being sent by another request',
    unconfirmed: (reason: string | null) => withReason('Not confirmed. The email may have been sent', reason),
    notSent: (reason: string | null | undefined) => withReason('Email not sent', reason),
    queued: (reason: string | undefined) => withReason('Email queued, not accepted yet', reason),
    revoked: 'Invitation revoked',
    notRevoked: (reason: string) => withReason('Not revoked', reason),
    leave: {
      title: 'Stop now?',
      description: 'What is done already cannot be recalled. The run stops after the current invitation.',
      confirmLabel: 'Stop',
      cancelLabel: 'Continue',
    },
    result: {
      resend: ({ done, saved }: RunCounts, total: number, stopped: string | null) =>
        withStop(
          saved === 0
            ? `${done} of ${total} sent.`
            : `${saved} of ${total} saved in the local mailbox, not sent.`,
          stopped,
        ),
      revoke: ({ done }: RunCounts, total: number, stopped: string | null) =>
        withStop(`${done} of ${total} revoked.`, stopped),
    },
  },
  /** Actions on the selected invitations. */
  selected: {
    none: 'Select pending or expired invitations in the list to resend or revoke them together.',
    resend: (count: number) => `Resend ${formatCount(count)} selected`,
    revoke: (count: number) => `Revoke ${formatCount(count)} selected`,
    revokeTitle: (count: number) =>
      count === 1 ? 'Revoke the selected invitation?' : `Revoke ${formatCount(count)} invitations?`,
    revokeDescription: (names: readonly string[], count: number) =>
      `All links sent to ${names.map(quoted).join(', ')}${count > names.length ? ` and ${formatCount(count - names.length)} more` : ''} stop working immediately. You can invite them again.`,
    revokeConfirm: (count: number) => (count === 1 ? 'Revoke invitation' : 'Revoke invitations'),
  },
  /** Advice without a mail server. */
  shareLinks: 'To invite someone, create a link in the panel of their invitation, and share it yourself.',
  empty: 'No invitations sent yet',
  emptyDescription: 'Invite an administrator. The email contains a link to set a password.',
  loadFailed: 'The invitations could not be loaded',
  panel: {
    unnamed: 'Invitation',
    email: 'Email',
    invited: 'Invited At',
    expires: 'Expires At',
    notFound: 'This invitation is not in the list.',
  },
  dialog: {
    title: 'Invite New Administrator',
    description: 'The invitation email contains a link to set a password.',
    descriptionWithoutMail:
      'No mail server is set up. The invitation is saved, and its email is not sent. Create a link in the panel of the invitation, and share it yourself.',
    fullName: 'Full Name',
    email: 'Email',
    cancel: 'Cancel',
    submit: 'Send Invitation',
    submitting: 'Sending...',
  },
  discard: {
    title: 'Discard the invitation?',
    description: 'The details that you entered are lost.',
    confirmLabel: 'Discard invitation',
    cancelLabel: 'Keep editing',
  },
  toast: {
    inviteFailed: 'Failed to send invitation',
    invited: 'Invitation sent!',
    invitedDescription: (email: string) => `An invitation email has been sent to ${quoted(email)}`,
    saved: 'Invitation saved, not sent',
    savedDescription: (email: string) =>
      `No mail server is set up. The email to ${quoted(email)} is in the local mailbox.`,
    createdWithoutEmail: 'User Created Successfully',
    createdWithoutEmailDescription: (failure: EmailFailure) =>
      `${withReason(
        failure.retryAt === undefined
          ? 'The email could not be sent.'
          : 'The email is not confirmed as sent yet.',
        failure.reason,
      )} ${nextStep(failure)}`,
    sending: 'Email being sent',
    sendingDescription:
      'Another request is sending this email. The panel of the invitation shows its result.',
    resendFailed: 'Failed to resend invitation',
    resent: 'Email resent!',
    resendSaved: 'Email saved, not sent',
    notSent: 'Email Not Sent',
    notSentDescription: (failure: EmailFailure) =>
      `${withReason("The invitation exists but email couldn't be sent.", failure.reason)} ${nextStep(failure)}`,
  },
} as const;

export const adminsViewText = {
  title: 'View',
  filtered: ', filtered',
  search: 'Search name or email',
  searchText: 'Search',
  order: 'Sort by',
  newestFirst: 'Invited At, newest first',
  directions: { asc: 'ascending', desc: 'descending' },
  print: 'Print',
  status: 'Status',
  all: 'All',
  statuses: {
    pending: 'Pending',
    accepted: 'Accepted',
    expired: 'Expired',
    ended: 'Ended',
    revoked: 'Revoked',
    removed: 'Removed',
    uninvited: 'Administrators without an invitation',
  } satisfies Record<StatusFilter, string>,
  secondFactor: 'Second factor for administrators',
  inviteList: 'Invite from a list',
  shown: (shown: number, total: number) =>
    `Showing ${formatCount(shown)} of ${formatCount(total)} invitations.`,
  noMatch: 'No invitations match',
  noMatchDescription: 'Change the search or the status.',
  uninvited: {
    title: 'Administrators without an invitation',
    none: 'No administrator without an invitation matches.',
  },
} as const;
