/** Stores the last searches that led to an account, per user. They are deleted on sign-out. */

/** Begins the keys of all lists that are deleted on sign-out. */
export const recentPrefix = 'recent_';

const prefix = `${recentPrefix}searches:`;
const maxSearches = 5;

/** Returns the list with this text first. Texts that differ only in case count as one. */
export const addRecentSearch = (recent: readonly string[], text: string): readonly string[] =>
  [text, ...recent.filter((each) => each.toLowerCase() !== text.toLowerCase())].slice(0, maxSearches);

/** Parses the stored text. Invalid text and invalid items are ignored. */
export const parseRecentSearches = (stored: string | null): readonly string[] => {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value)
      ? value.filter((each): each is string => typeof each === 'string' && each !== '').slice(0, maxSearches)
      : [];
  } catch {
    return [];
  }
};

export const readRecentSearches = (userId: string): readonly string[] => {
  try {
    return parseRecentSearches(localStorage.getItem(prefix + userId));
  } catch {
    return [];
  }
};

export const saveRecentSearch = (userId: string, text: string): void => {
  try {
    localStorage.setItem(prefix + userId, JSON.stringify(addRecentSearch(readRecentSearches(userId), text)));
  } catch {
    // Local storage is blocked, so the search is not saved.
  }
};

/** Deletes the searches and the other recent lists of all users. */
export const clearRecentLists = (): void => {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(recentPrefix)) localStorage.removeItem(key);
  } catch {
    // Local storage is blocked, so nothing is saved.
  }
};
