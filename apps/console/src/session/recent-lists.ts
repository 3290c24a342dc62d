/** Stores the last searches and the last viewed accounts of a user. They are deleted on sign-out. */

/** Begins the keys of all lists. */
const prefix = 'recent_';

/**
 * Creates a list in the local storage.
 *
 * @param isItem returns false for an invalid stored item, which is ignored
 * @param keyOf items with the same key count as one
 */
const createRecentList = <Item>(
  name: string,
  maxItems: number,
  isItem: (value: unknown) => value is Item,
  keyOf: (item: Item) => string,
) => {
  const storageKey = (userId: string): string => `${prefix}${name}:${userId}`;

  /** Returns the items of the stored text; none if it is invalid. */
  const parse = (stored: string | null): readonly Item[] => {
    try {
      const value: unknown = JSON.parse(stored ?? '[]');
      return Array.isArray(value) ? value.filter(isItem).slice(0, maxItems) : [];
    } catch {
      return [];
    }
  };

  /** Returns the list with this item first. */
  const add = (recent: readonly Item[], item: Item): readonly Item[] =>
    [item, ...recent.filter((each) => keyOf(each) !== keyOf(item))].slice(0, maxItems);

  const read = (userId: string): readonly Item[] => {
    try {
      return parse(localStorage.getItem(storageKey(userId)));
    } catch {
      return [];
    }
  };

  const save = (userId: string, item: Item): void => {
    try {
      localStorage.setItem(storageKey(userId), JSON.stringify(add(read(userId), item)));
    } catch {
      // Local storage is blocked, so the item is not saved.
    }
  };

  return { parse, add, read, save };
};

/** The searches that led to an account. */
export const recentSearches = createRecentList(
  'searches',
  5,
  (value): value is string => typeof value === 'string' && value !== '',
  (text) => text.toLowerCase(),
);

interface RecentAccount {
  readonly id: string;
  readonly name: string;
}

export const recentAccounts = createRecentList(
  'accounts',
  6,
  (value): value is RecentAccount =>
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'id') === 'string' &&
    typeof Reflect.get(value, 'name') === 'string',
  ({ id }) => id,
);

/** Deletes the lists of all users. */
export const clearRecentLists = (): void => {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Local storage is blocked, so nothing is saved.
  }
};
