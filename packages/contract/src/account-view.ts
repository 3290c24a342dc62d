/** Orders, statuses and status filters of the account list. Separate from the input schemas, so that the list does not load zod. */

export const accountSorts = ['created', 'name', 'type', 'status', 'updated'] as const;
export type AccountSort = (typeof accountSorts)[number];

export const sortDirections = ['asc', 'desc'] as const;
export type SortDirection = (typeof sortDirections)[number];

/** Equal values are sorted by ID, in the same direction. */
export interface AccountOrder {
  readonly sort: AccountSort;
  readonly direction: SortDirection;
}

export const isTimeSort = (sort: AccountSort): boolean => sort === 'created' || sort === 'updated';

/** Returns the direction that users expect: times from the latest, texts from A. */
export const getUsualDirection = (sort: AccountSort): SortDirection => (isTimeSort(sort) ? 'desc' : 'asc');

/** Parses a sort with an optional direction, such as `created` or `name.desc`. Returns null for any other text. */
export const tryParseOrder = (text: string): AccountOrder | null => {
  const [name, directionName, ...more] = text.split('.');
  const sort = accountSorts.find((each) => each === name);
  if (sort === undefined || more.length > 0) return null;
  const direction =
    directionName === undefined
      ? getUsualDirection(sort)
      : sortDirections.find((each) => each === directionName);
  return direction === undefined ? null : { sort, direction };
};

export const defaultAccountOrder: AccountOrder = { sort: 'created', direction: 'desc' };

/** The statuses that this version knows. Stored rows can have others, which are shown as text. */
export const accountStatuses = ['active', 'suspended', 'archived'] as const;

/** `other` means all statuses that this version does not know. */
export const statusFilters = [...accountStatuses, 'other'] as const;
export type StatusFilter = (typeof statusFilters)[number];
