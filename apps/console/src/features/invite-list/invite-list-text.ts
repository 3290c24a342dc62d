/** Texts of the screen that invites administrators from a list. */
import { fileTexts } from '@lanternrock/contract/csv-file';
import { formatCount } from '@lanternrock/contract/format-count';
import { inviteListFileLimits } from '@lanternrock/contract/invitation-list';
import type { CsvListText } from '../../shared/csv-run/csv-list.ts';

const formatPeople = (total: number): string => `${formatCount(total)} ${total === 1 ? 'person' : 'people'}`;

/** Label and word of the summary, in its order. */
const statuses = {
  sent: ['Invited', 'invited'],
  captured: ['Invited, email saved, not sent', 'saved, not sent'],
  queued: ['Invited, email queued', 'queued'],
  not_accepted: ['Invited, email not sent', 'invited without email'],
  new: ['To invite', 'to invite'],
  reinvite: ['To invite again', 'to invite again'],
  /** Pending, and chosen by the user. */
  again: ['To send again', 'to send again'],
  pending: ['Pending, no further email', 'pending'],
  administrator: ['Already an administrator', 'already administrators'],
  revoked: ['Not invited: revoked invitation', 'revoked'],
  removed: ['Not invited: removed administrator', 'removed'],
  banned: ['Not invited: banned user', 'banned'],
  repeated: ['Repeated', 'repeated'],
  invalid: ['Invalid', 'invalid'],
} as const;

export type RowStatus = keyof typeof statuses;

/** A first and a last name in two columns, as most lists have them. */
export const templateHeader: readonly string[] = ['Email', 'First name', 'Last name', 'Note', 'Expiry'];

export const inviteListText: CsvListText = {
  title: 'Invite from a List',
  file: {
    title: 'List',
    help: `A CSV or XLSX file with one person per row. ${fileTexts.limits(inviteListFileLimits)}`,
  },
  paste: {
    label: 'Or paste rows',
    help: 'Include the header row. You can copy the rows from a spreadsheet.',
    use: 'Use pasted rows',
    name: 'Pasted text',
    discard: {
      title: 'Discard the list?',
      description:
        'If you leave the page, the pasted rows are lost and the remaining invitations are not sent.',
      confirmLabel: 'Discard list',
      cancelLabel: 'Keep editing',
    },
  },
  columns: {
    description:
      'The email names you as the inviter. Write the expiry in hours (12h), days (3d) or weeks (2w), or as a time in UTC (2026-12-01T18:00Z).',
  },
  run: {
    sending: 'Sending invitations...',
    checked: 'The check is complete. No invitation has been sent.',
    nothing: 'The check is complete. There is no one to invite.',
    done: 'All rows are processed.',
    quota: ({ left, limit }) =>
      `The limit of ${formatCount(limit)} emails per hour allows ${formatCount(left)} now. The rest can be sent later.`,
    send: (due) => `Invite ${formatPeople(due)}`,
    resume: (due) => `Continue with ${formatPeople(due)}`,
    stopped: () => 'Stopped before the end of the list',
    stopReason: ({ reason, message }) =>
      reason === 'canceled' ? 'Canceled. Emails already sent cannot be recalled.' : message,
    kept: 'Continue here, or choose the same list again later. An email that was accepted or queued is not sent twice.',
  },
  show: { label: 'Show invitations', to: '/admin/platform-admins' },
  table: 'Rows of the list',
  statuses: Object.fromEntries(Object.entries(statuses).map(([status, [label]]) => [status, label])),
  summary: (tally) =>
    Object.entries(statuses)
      .flatMap(([status, [, word]]) => {
        const total = tally.get(status) ?? 0;
        return total === 0 ? [] : [`${formatCount(total)} ${word}`];
      })
      .join(', '),
  leave: {
    title: 'Stop sending?',
    description: 'Emails already sent cannot be recalled. Sending stops after the current ones.',
    confirmLabel: 'Stop sending',
    cancelLabel: 'Keep sending',
  },
};

export const sentences = {
  repeats: (line: number) => `Repeats line ${line}`,
  again: (total: number) => `Also resend to ${formatPeople(total)} with a pending invitation`,
} as const;
