/** Texts of the handover page and its printed sheet. */
import {
  expiresSoonHours,
  maxHandoverItems,
  type HandoverInvitationEvent,
} from '@lanternrock/contract/handover';

export const handoverText = {
  title: 'Handover',
  description: 'Changes in the selected period.',
  since: 'Show changes',
  date: 'Since date',
  options: [
    { value: 'last', label: 'Since your last visit' },
    { value: '24h', label: 'Last 24 hours' },
    { value: '7d', label: 'Last 7 days' },
    { value: 'date', label: 'Since a date' },
  ],
  period: (from: string, to: string) => `${from} to ${to}`,
  firstVisit: 'No earlier visit is recorded. The last 7 days are shown.',
  copy: 'Copy as text',
  copied: 'Copied!',
  print: 'Print',
  sheet: 'Emergency sheet',
  sections: { accounts: 'Accounts', invitations: 'Invitations', settings: 'Settings' },
  none: 'No changes.',
  count: (items: number, more: boolean) => (more ? `newest ${items}` : `${items}`),
  more: `Only the newest ${maxHandoverItems} are shown. Choose a shorter period, or open Activity.`,
  noValue: 'none',
  loadFailed: 'The changes could not be loaded',
  loading: 'Loading changes',
};

/** Words before and after the name of the invited user. */
export const invitationTexts: Readonly<
  Record<
    HandoverInvitationEvent,
    (actor: string | null) => { readonly before: string; readonly after: string }
  >
> = {
  sent: (actor) => ({ before: 'Invitation sent to', after: actor === null ? '' : `by ${actor}` }),
  captured: (actor) => ({
    before: 'Invitation email to',
    after: `saved in the local mailbox, not sent${actor === null ? '' : `, invited by ${actor}`}`,
  }),
  failed: (actor) => ({
    before: 'Invitation email to',
    after: actor === null ? 'not confirmed as sent' : `not confirmed as sent, invited by ${actor}`,
  }),
  accepted: () => ({ before: 'Invitation accepted by', after: '' }),
  revoked: (actor) => ({
    before: 'Invitation of',
    after: actor === null ? 'revoked' : `revoked by ${actor}`,
  }),
  expires: () => ({ before: 'Invitation of', after: `expires within ${expiresSoonHours} hours` }),
};

export const sheetText = {
  title: 'Emergency sheet',
  description: 'Accounts, administrators and sender, to keep on paper in case the network is down.',
  back: 'Back to handover',
  print: 'Print',
  printed: (time: string) => `As of ${time}`,
  administrators: (count: number) => `Administrators (${count})`,
  accounts: (count: number) => `Accounts (${count})`,
  sender: 'Sender of emails',
  noSender: 'No sender is saved.',
  noName: '–',
  until: (date: string) => `until ${date}`,
  columns: {
    name: 'Name',
    email: 'Email',
    access: 'Access',
    type: 'Type',
    status: 'Status',
    address: 'Address',
  },
  unlimited: 'no end',
  truncated: (count: number) =>
    `The sheet shows the first ${count} accounts by name. To get all accounts, export the list.`,
  loadFailed: 'The sheet could not be loaded',
  loading: 'Loading the sheet',
};
