/** Orders and status filters of the account list. Separate from the input schemas, so that the list does not load zod. */

export const accountSorts = ['created', 'name', 'type', 'status', 'updated'] as const;
export type AccountSort = (typeof accountSorts)[number];

export const sortDirections = ['asc', 'desc'] as const;
export type SortDirection = (typeof sortDirections)[number];

/** Equal values are sorted by ID, in the same direction. */
export interface AccountOrder {
  readonly sort: AccountSort;
  readonly direction: SortDirection;
}

/** Names and words begin with A, times with the latest. */
export const usualDirection = (sort: AccountSort): SortDirection =>
  sort === 'created' || sort === 'updated' ? 'desc' : 'asc';

/** Parses `name`, `name.asc` or `name.desc`. Returns undefined for any other text. */
export const tryParseOrder = (text: string): AccountOrder | undefined => {
  const [name, directionName, ...more] = text.split('.');
  const sort = accountSorts.find((each) => each === name);
  if (sort === undefined || more.length > 0) return undefined;
  const direction =
    directionName === undefined
      ? usualDirection(sort)
      : sortDirections.find((each) => each === directionName);
  return direction === undefined ? undefined : { sort, direction };
};

export const defaultAccountOrder: AccountOrder = { sort: 'created', direction: 'desc' };

/** The statuses that this version knows. Stored rows can have other words. */
export const knownStatuses = ['active', 'suspended', 'archived'] as const;
/** `other` means all other words. */
export const statusFilters = [...knownStatuses, 'other'] as const;
export type StatusFilter = (typeof statusFilters)[number];
