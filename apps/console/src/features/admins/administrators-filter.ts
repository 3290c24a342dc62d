/** Search, status filter and order of the Admins screen. */
import type { Administrator } from '@lanternrock/contract/administrators';
import type { InvitationRow } from '@lanternrock/contract/rows';
import { matchesWords, toSearchedText, toSearchWords } from '@lanternrock/contract/text-search';
import type { InvitationOrder, InvitationSort, StatusFilter } from './admins-search-params.ts';

export const administratorName = ({
  full_name: name,
  email,
}: Pick<Administrator, 'full_name' | 'email'>): string => (name === null || name === '' ? email : name);

const containsText = (search: string, ...texts: readonly string[]): boolean =>
  matchesWords(toSearchWords(search), toSearchedText(texts));

export interface AdminsFilter {
  readonly search?: string | undefined;
  readonly status?: StatusFilter | undefined;
}

export const isFiltered = ({ search = '', status }: AdminsFilter): boolean =>
  search.trim() !== '' || status !== undefined;

export const matchesInvitation = (row: InvitationRow, { search = '', status }: AdminsFilter): boolean =>
  (status === undefined || row.status === status) && containsText(search, row.full_name, row.email);

const sortedValue: Readonly<Record<InvitationSort, (row: InvitationRow) => string>> = {
  name: (row) => row.full_name,
  email: (row) => row.email,
  invited: (row) => row.invited_at,
  status: (row) => row.status,
  expires: (row) => row.expires_at,
};

const { compare } = new Intl.Collator(undefined, { numeric: true });

/** Returns the invitations in an order; without one, unchanged. Equal values keep their order. */
export const sortInvitations = (
  rows: readonly InvitationRow[],
  order: InvitationOrder | undefined,
): readonly InvitationRow[] => {
  if (order === undefined) return rows;
  const valueOf = sortedValue[order.sort];
  const sign = order.direction === 'asc' ? 1 : -1;
  return [...rows].sort((a, b) => sign * compare(valueOf(a), valueOf(b)));
};

/** Returns the administrators without an invitation that match the search. */
export const uninvited = (
  administrators: readonly Administrator[],
  { search = '' }: AdminsFilter,
): readonly Administrator[] =>
  administrators.filter(
    (each) => each.invitation_id === null && containsText(search, each.full_name ?? '', each.email),
  );
