/** Texts of the screen that invites administrators from a list. */
import type { ListColumn, RowStatus } from './list-row.ts';

const count = (value: number): string => value.toLocaleString('en');
const rows = (total: number): string => `${count(total)} ${total === 1 ? 'row' : 'rows'}`;
const people = (total: number): string => `${count(total)} ${total === 1 ? 'person' : 'people'}`;

const statuses: Readonly<Record<RowStatus, string>> = {
  new: 'To invite',
  reinvite: 'To invite again',
  again: 'To send again',
  pending: 'Pending, not sent again',
  administrator: 'Already an administrator',
  revoked: 'Not invited: revoked invitation',
  removed: 'Not invited: removed administrator',
  banned: 'Not invited: banned user',
  repeated: 'Repeated',
  invalid: 'Invalid',
  sent: 'Invited',
  queued: 'Invited, email queued',
  not_accepted: 'Invited, email not sent',
};

/** Words of the summary, in its order. */
const summaryWords: readonly (readonly [RowStatus, string])[] = [
  ['sent', 'invited'],
  ['queued', 'queued'],
  ['not_accepted', 'invited without email'],
  ['new', 'to invite'],
  ['reinvite', 'to invite again'],
  ['again', 'to send again'],
  ['pending', 'pending'],
  ['administrator', 'already administrators'],
  ['revoked', 'revoked'],
  ['removed', 'removed'],
  ['banned', 'banned'],
  ['repeated', 'repeated'],
  ['invalid', 'invalid'],
];

export const inviteListText = {
  title: 'Invite from a List',
  file: {
    title: 'List',
    label: 'CSV file',
    help: 'One person per row, with a header. Up to 5 MB and 20,000 rows.',
    paste: 'Or paste rows',
    pasteHelp: 'With a header, for example copied from a spreadsheet.',
    use: 'Use pasted rows',
    pasted: 'Pasted text',
    chosen: (name: string, total: number) => `${name}: ${rows(total)}`,
    noHeader: (name: string) =>
      `${name} has no header: its first row contains an email. Add a first row, for example: email,full name`,
  },
  columns: {
    description: 'The email names you as the inviter. Expiry is, for example, 12h, 3d or 2026-12-01T18:00Z.',
    names: {
      email: 'Email',
      fullName: 'Full Name',
      note: 'Note',
      expires: 'Expiry',
    } satisfies Record<ListColumn, string>,
    notUsed: 'Not used',
    missing: (column: string) => `Choose the column with the ${column}.`,
    repeated: (column: string) => `Several columns are chosen for ${column}. Choose one.`,
    check: 'Check rows',
  },
  run: {
    title: 'Result',
    checking: 'Checking rows...',
    sending: 'Sending invitations...',
    checked: 'The check is complete. Nothing has been sent.',
    nothing: 'The check is complete. There is no row to invite.',
    done: 'All rows are processed.',
    quota: (left: number, limit: number) =>
      `The limit of ${count(limit)} emails per hour allows ${count(left)} now. The rest can be sent later.`,
    again: (total: number) => `Also send to ${people(total)} with a pending invitation again`,
    invite: (total: number) => `Invite ${people(total)}`,
    continue: (total: number) => `Continue with ${people(total)}`,
    cancel: 'Cancel',
    canceling: 'Canceling...',
    canceled: 'Canceled. Emails that were sent stay sent.',
    stopped: 'Stopped before the end of the list',
    resume: 'Continue here, or choose the same list again later: nobody is invited twice.',
    save: 'Save results',
  },
  summary: (tally: ReadonlyMap<RowStatus, number>) =>
    summaryWords
      .flatMap(([status, word]) => {
        const total = tally.get(status) ?? 0;
        return total === 0 ? [] : [`${count(total)} ${word}`];
      })
      .join(', '),
  table: {
    label: 'Rows of the list',
    line: 'Line',
    email: 'Email',
    name: 'Name',
    result: 'Result',
    reason: 'Reason',
    filter: 'Rows',
    all: 'All rows',
    problems: 'Problems only',
    empty: 'No rows',
    repeats: (line: number) => `Repeats line ${line}`,
  },
  leave: {
    title: 'Stop sending?',
    description: 'Emails that were sent stay sent. The others are not sent.',
    confirmLabel: 'Stop sending',
    cancelLabel: 'Keep sending',
  },
  discard: {
    title: 'Discard the list?',
    description: 'The pasted rows are lost if you leave the page. Rows that were not sent are not sent.',
    confirmLabel: 'Discard list',
    cancelLabel: 'Keep editing',
  },
  saving: { running: 'Saving results...', failed: 'Error saving results' },
  statuses,
} as const;
