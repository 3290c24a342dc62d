/**
 * Texts of the account list. Those of the panel and dialog are in `account-text.ts`, which loads with them.
 */
export const accountsText = {
  title: 'Accounts',
  addAccount: 'Add Account',
  searchPlaceholder: 'Search by name, email, or phone...',
  searchLabel: 'Search accounts',
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
  open: (name: string) => `Open ${name}`,
  none: '-',
  emptyTitle: 'No accounts yet',
  emptyDescription: 'Create your first account to get started',
  noRoleTitle: 'You are not an administrator',
  noRoleDescription: 'Only administrators see and create all accounts. Ask one of them to give you access.',
  noMatch: 'No accounts match your filters',
  loadFailed: 'The accounts could not be loaded',
  rowsPerPage: 'Rows per page',
  page: (total: number) => `Page 1 of 1 (${total} total)`,
  fetchFailed: 'Error fetching accounts',
} as const;
