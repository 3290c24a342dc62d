/** Search params of the Admins screen: open dialog, open panel, search and filter. */
import { flagParam, optionParam, textParam } from '../../shared/url-state.ts';

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

/** Maximum length of a search, in UTF-16 code units. */
export const maxSearchLength = 200;

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
};
