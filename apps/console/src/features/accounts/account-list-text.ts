/**
 * Texts of the account list. Those of its view menu are in `view-menu-text.ts`, those of the panel and the dialogs in
 * `account-panel-text.ts`.
 */
import { formatCount } from '@lanternrock/contract/format-count';

/** Only the Lanternrock service has contacts. */
type WidePlaces = 'cities and contacts' | 'cities';

export const accountListText = {
  title: 'Accounts',
  addAccount: 'Add Account',
  searchPlaceholder: 'Search by name, email, or phone...',
  searchLabel: 'Search accounts',
  search: 'Search',
  typeFilter: 'Type',
  subtypeFilter: 'Subtype',
  all: 'All',
  view: 'View',
  viewChanged: 'changed',
  types: { enterprise: 'Enterprise', organization: 'Organization' },
  columns: {
    name: 'Name',
    type: 'Type',
    subtype: 'Subtype',
    users: 'Users',
    contact: 'Contact',
    open: 'Open',
  },
  userCount: (count: number) => (count === 1 ? '1 user' : `${formatCount(count)} users`),
  open: (name: string) => `Open ${name}`,
  none: '-',
  emptyTitle: 'No accounts yet',
  emptyDescription: 'Create your first account to get started',
  setup: (done: number, total: number) => `Setup (${done} of ${total})`,
  createFirst: 'Create first account',
  noRoleTitle: 'You are not an administrator',
  noRoleDescription:
    'You are not an active member of an account. Only administrators see all accounts. Ask an administrator for access.',
  noMatch: 'No accounts match your filters',
  searchWide: (places: WidePlaces) => `Search ${places} too`,
  isWide: (places: WidePlaces) => `The search includes ${places}.`,
  wideSearch: (search: string, places: WidePlaces) => `${search}, also in ${places}`,
  searchNames: 'Search without cities',
  loadFailed: 'The accounts could not be loaded',
  rowsPerPage: 'Rows per page',
  page: (total: number) => `Page 1 of 1 (${total} total)`,
  fetchFailed: 'Error fetching accounts',
} as const;

/** The order and the status of the list, in the view menu and on the printed list. */
export const orderText = {
  sortBy: 'Sort by',
  sorts: { created: 'Created', name: 'Name', type: 'Type', status: 'Status', updated: 'Last updated' },
  directions: { asc: 'Ascending', desc: 'Descending' },
  timeDirections: { asc: 'Oldest first', desc: 'Newest first' },
  status: 'Status',
  statuses: {
    all: 'All',
    active: 'Active',
    suspended: 'Suspended',
    archived: 'Archived',
    other: 'Other',
  },
} as const;
