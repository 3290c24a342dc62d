/** Texts of the View menu and the filters of the Admins screen. */
import type { StatusFilter } from './admins-search-params.ts';

export const adminsViewText = {
  title: 'View',
  filtered: ', filtered',
  search: 'Search name or email',
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
  demand: 'Second factor for administrators',
  inviteList: 'Invite from a list',
  shown: (shown: number, total: number) => `Showing ${shown} of ${total} invitations.`,
  noMatch: 'No invitations match',
  noMatchDescription: 'Change the search or the status.',
  uninvited: {
    title: 'Administrators without an invitation',
    none: 'Every administrator that matches has an invitation.',
  },
} as const;
