/** Texts of the members of an account. */
import type { AccountMember } from '@lanternrock/contract/account-members';
import { quoted } from '../../ui/quoted-text.tsx';

/** Returns the name of a member, or the email address without one. */
export const memberName = ({ full_name, email }: AccountMember): string =>
  full_name || email || 'User without an email address';

export const membersText = {
  title: 'Members',
  list: 'Members of the account',
  empty: 'This account has no members.',
  loadFailed: 'The members could not be loaded',
  more: 'Show more members',
  loading: 'Loading...',
  since: 'since',
  ends: 'Ends',
  ended: 'Ended',
  moreOptions: 'More options',
  otherAccounts: 'Also in:',
  furtherAccounts: (count: number) => `and ${count} more`,
  suspend: 'Suspend',
  reactivate: 'Reactivate',
  remove: 'Remove',
  changeEndOf: (name: string) => `Change end date of ${name}`,
  actionOn: (action: string, name: string) => `${action} ${name}`,
  add: 'Add member',
  adding: 'Adding...',
  email: "Member's email",
  undo: 'Undo',
  added: 'Member added',
  addedDescription: (name: string) => `${quoted(name)} is now a member of this account.`,
  suspended: 'Member suspended',
  suspendedDescription: (name: string) => `${quoted(name)} is suspended as a member of this account.`,
  reactivated: 'Member reactivated',
  reactivatedDescription: (name: string) => `${quoted(name)} is an active member of this account again.`,
  activeUntil: (name: string, time: string) => `${quoted(name)} is a member of this account until ${time}.`,
  activeWithoutEnd: (name: string) => `${quoted(name)} is a member of this account without an end date.`,
  suspendedUntil: (name: string, time: string) =>
    `${quoted(name)} is suspended. The membership ends on ${time}.`,
  suspendedWithoutEnd: (name: string) => `${quoted(name)} is suspended. The membership has no end date.`,
  endedDescription: (name: string) => `The membership of ${quoted(name)} in this account has ended.`,
  endDialog: {
    description:
      'The membership ends at this time. The user then no longer sees the account. Administrators can extend it.',
    reactivateTitle: (name: string) => `Reactivate ${quoted(name)}`,
    reactivateDescription: (time: string) =>
      `The membership ended on ${time}. Select a new end date, or leave the field empty for no end date.`,
  },
  removed: 'Member removed',
  removedDescription: (name: string) => `${quoted(name)} is no longer a member of this account.`,
  changeFailed: 'Error changing member',
  undone: 'Change undone',
} as const;
