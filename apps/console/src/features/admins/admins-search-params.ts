/** Search params of the Admins screen: open dialog, open panel, search and filter. */
import { flagParam, maxSearchLength, optionParam, textParam } from '../../shared/url-state.ts';

/** `uninvited`: administrators who never had an invitation. */
export const statusFilters = [
  'pending',
  'accepted',
  'expired',
  'ended',
  'revoked',
  'removed',
  'uninvited',
] as const;
export type StatusFilter = (typeof statusFilters)[number];

const invitationSorts = ['name', 'email', 'invited', 'status', 'expires'] as const;
export type InvitationSort = (typeof invitationSorts)[number];

export const adminsSearchParams = {
  /** True if the dialog for a new invitation is open. */
  invite: flagParam,
  /** ID of the invitation in the side panel. */
  invitation: textParam(maxSearchLength),
  /** User ID of the administrator in the side panel, who has no invitation. */
  administrator: textParam(maxSearchLength),
  /** True if the dialog about the second-factor requirement is open. */
  requirement: flagParam,
  q: textParam(maxSearchLength),
  /** Status filter. Another name than that of the accounts, whose values differ. */
  show: optionParam(statusFilters),
  /** Order of the invitations; undefined for the newest first. */
  sort: optionParam(invitationSorts.flatMap((sort) => [`${sort}.asc`, `${sort}.desc`] as const)),
};

export interface InvitationOrder {
  readonly sort: InvitationSort;
  readonly direction: 'asc' | 'desc';
}

export type InvitationOrderParam = `${InvitationSort}.${'asc' | 'desc'}`;

/** Splits the value of the param `sort`. */
export const toInvitationOrder = (text: InvitationOrderParam): InvitationOrder => {
  const [sort, direction] = text.split('.') as [InvitationSort, 'asc' | 'desc'];
  return { sort, direction };
};
