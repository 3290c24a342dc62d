/** Search params of the Admins screen: open dialog and open panel. */
export interface AdminsSearchParams {
  /** True if the dialog for a new invitation is open. */
  invite?: true | undefined;
  /** ID of the invitation in the side panel. */
  invitation?: string | undefined;
}

/**
 * Returns the valid search params. Invalid ones are left out, so that old links still work; a key with the value
 * undefined would remove the param from the URL.
 */
export const validateAdminsSearch = (params: Readonly<Record<string, unknown>>): AdminsSearchParams => {
  const { invite, invitation } = params;
  const search: AdminsSearchParams = {};
  if (invite === true || invite === 'true') search.invite = true;
  if (typeof invitation === 'string' && invitation !== '') search.invitation = invitation;
  return search;
};
