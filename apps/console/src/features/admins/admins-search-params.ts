/** Search params of the Admins screen: open dialog and open panel. */
export interface AdminsSearchParams {
  /** True if the dialog for a new invitation is open. */
  invite?: true;
  /** ID of the invitation in the side panel. */
  invitation?: string;
}

/** Returns the valid search params. Invalid ones are ignored. */
export const validateAdminsSearch = (params: Readonly<Record<string, unknown>>): AdminsSearchParams => {
  const { invite, invitation } = params;
  return {
    ...(invite === true || invite === 'true' ? { invite: true as const } : {}),
    ...(typeof invitation === 'string' && invitation !== '' ? { invitation } : {}),
  };
};
