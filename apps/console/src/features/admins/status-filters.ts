/** Values of the search params of the Admins screen. */

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
