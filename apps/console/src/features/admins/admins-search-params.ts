/** Search params of the Admins screen: open dialog, open panel, search and filter. */
import { textParam } from '../../ui/text-param.ts';
import { maxSearchLength, statusFilters, type StatusFilter } from './status-filters.ts';

export interface AdminsSearchParams {
  /** True if the dialog for a new invitation is open. */
  invite?: true | undefined;
  /** ID of the invitation in the side panel. */
  invitation?: string | undefined;
  /** User ID of the administrator in the side panel, who has no invitation. */
  administrator?: string | undefined;
  /** True if the dialog about the demand for second factors is open. */
  demand?: true | undefined;
  q?: string | undefined;
  /** Status filter. Another name than that of the accounts, whose values differ. */
  show?: StatusFilter | undefined;
}

/**
 * Returns the valid search params. Invalid ones are left out, so that old links still work; a key with the value
 * undefined would remove the param from the URL.
 */
export const validateAdminsSearch = (params: Readonly<Record<string, unknown>>): AdminsSearchParams => {
  const { invite, invitation, administrator, demand } = params;
  const search: AdminsSearchParams = {};
  if (invite === true || invite === 'true') search.invite = true;
  if (typeof invitation === 'string' && invitation !== '') search.invitation = invitation;
  if (typeof administrator === 'string' && administrator !== '') search.administrator = administrator;
  if (demand === true || demand === 'true') search.demand = true;
  const q = textParam(params['q'], maxSearchLength);
  if (q !== undefined) search.q = q;
  const show = statusFilters.find((each) => each === params['show']);
  if (show !== undefined) search.show = show;
  return search;
};
