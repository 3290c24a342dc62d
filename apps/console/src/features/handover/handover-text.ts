/** Texts of the handover page and its printed sheet. */
import { formatCount } from '@lanternrock/contract/format-count';
import { type HandoverInvitationEvent, visitGapMinutes } from '@lanternrock/contract/handover';
import { formatExactTime } from '../../ui/format-time.ts';

export const handoverText = {
  title: 'Handover',
  description:
    'Accounts, invitations of administrators and settings. Activity also lists members, their invitations, administrators and exports.',
  since: 'Show changes',
  date: 'Start date',
  options: [
    { value: 'last', label: 'Since your last visit' },
    { value: '24h', label: 'Last 24 hours' },
    { value: '7d', label: 'Last 7 days' },
    { value: 'date', label: 'Since a date' },
  ],
  visitHelp: `A visit counts after the page is visible for 5 seconds. Visits less than ${visitGapMinutes} minutes apart count as one.`,
  period: (from: string, to: string) => `${from} to ${to}`,
  firstVisit: 'No earlier visit is recorded. The last 7 days are shown.',
  copy: 'Copy as text',
  copied: 'Copied!',
  print: 'Print',
  sheet: 'Emergency sheet',
  sections: { accounts: 'Accounts', invitations: 'Invitations', settings: 'Settings' },
  none: 'No entries.',
  count: (items: number, more: boolean) => (more ? `first ${items}` : `${items}`),
  more: 'There are more entries. Activity lists older changes.',
  noValue: 'none',
  undoneBy: (name: string, time: string, isPartly: boolean) =>
    `${isPartly ? 'partly undone' : 'undone'} by ${name}, ${time}`,
  loadFailed: 'The changes could not be loaded',
  loading: 'Loading changes',
};

interface InvitationWords {
  readonly before: string;
  readonly after: string;
}

const email = (result: string, actor: string | null): InvitationWords => ({
  before: 'Invitation email to',
  after: actor === null ? result : `${result} (requested by ${actor})`,
});

const byActor = (before: string, done: string, actor: string | null): InvitationWords => ({
  before,
  after: actor === null ? done : `${done} by ${actor}`,
});

/** Words before and after the name of the invited user. `at` is shown with all events but `expires`. */
export const invitationTexts: Readonly<
  Record<HandoverInvitationEvent, (actor: string | null, at: string) => InvitationWords>
> = {
  sent: (actor) => email('accepted by the mail server', actor),
  captured: (actor) => email('saved in the local mailbox, not sent', actor),
  queued: (actor) => email('queued', actor),
  failed: (actor) => email('not sent', actor),
  unconfirmed: (actor) => email('not confirmed as sent', actor),
  link: (actor) => byActor('Invitation link of', 'created', actor),
  accepted: () => ({ before: 'Invitation accepted by', after: '' }),
  revoked: (actor) => byActor('Invitation of', 'revoked', actor),
  expires: (_actor, at) => ({ before: 'Invitation of', after: `expires at ${formatExactTime(at)}` }),
};

export const sheetText = {
  title: 'Emergency sheet',
  description:
    'Accounts with their contacts, administrators and sender, to keep on paper in case the network is down.',
  back: 'Back to handover',
  print: 'Print',
  printed: (time: string) => `As of ${time}`,
  administrators: (count: number) => `Administrators (${formatCount(count)})`,
  accounts: (count: number, truncated: boolean) =>
    `Accounts (${truncated ? 'first ' : ''}${formatCount(count)})`,
  sender: 'Saved sender of emails',
  noSender: 'No sender is saved. Emails come from the default sender of the service.',
  noName: '–',
  until: (date: string) => `until ${date}`,
  columns: {
    name: 'Name',
    phone: 'Phone',
    email: 'Email',
    access: 'Access',
    type: 'Type',
    status: 'Status',
    address: 'Address',
  },
  contactsOf: (name: string) => `Contacts of ${name}`,
  filter: {
    search: 'Search accounts',
    placeholder: 'Search by name, email, or phone...',
    type: 'Type',
    status: 'Status',
    all: 'All',
    types: { enterprise: 'Enterprise', organization: 'Organization' },
    statuses: { active: 'Active', suspended: 'Suspended', archived: 'Archived', other: 'Other' },
    text: 'Search text',
    wide: (search: string) => `${search}, also in cities and contacts`,
    only: 'Only accounts with',
  },
  unlimited: 'no end date',
  truncated: (count: number) =>
    `The sheet shows the first ${formatCount(count)} accounts by name. To get all accounts, export the list.`,
  loadFailed: 'The sheet could not be loaded',
  loading: 'Loading the sheet',
};
