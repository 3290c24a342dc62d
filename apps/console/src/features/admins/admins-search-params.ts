/** What the address of the Admins screen says: open dialog, open panel. */
export interface AdminsSearchParams {
  /** The dialog for a new invitation is open. */
  invite?: true;
  /** Id of the invitation in the side panel. */
  invitation?: string;
}

/** Reads search params of any origin; what makes no sense is left out. */
export const validateAdminsSearch = (params: Readonly<Record<string, unknown>>): AdminsSearchParams => {
  const { invite, invitation } = params;
  return {
    ...(invite === true || invite === 'true' ? { invite: true as const } : {}),
    ...(typeof invitation === 'string' && invitation !== '' ? { invitation } : {}),
  };
};
