/** Stores the last searches that led to an account, per user. They are deleted on sign-out. */

const prefix = 'recent_searches:';
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

export const clearRecentSearches = (): void => {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Local storage is blocked, so nothing is saved.
  }
};
