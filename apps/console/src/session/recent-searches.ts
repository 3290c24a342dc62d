/** The last searches that led to an account, for each person of this browser; gone with the sign-out. */

const prefix = 'recent_searches:';
const most = 5;

/** The list with this text in front; a text stands in it once, whatever its case. */
export const addRecentSearch = (recent: readonly string[], text: string): readonly string[] =>
  [text, ...recent.filter((each) => each.toLowerCase() !== text.toLowerCase())].slice(0, most);

/** Reads stored text of any origin. */
export const parseRecentSearches = (stored: string | null): readonly string[] => {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value)
      ? value.filter((each): each is string => typeof each === 'string' && each !== '').slice(0, most)
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
    // Blocked storage: nothing is remembered.
  }
};

export const clearRecentSearches = (): void => {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Blocked storage holds nothing either.
  }
};
