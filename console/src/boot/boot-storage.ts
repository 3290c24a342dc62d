/** What both documents' first scripts read and do. */
import { darkQuery, shownTheme, themeChoiceFrom, themeStorageKey } from '../theme/theme.ts';

/** Null also where storage is blocked. */
export const storedText = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

export const showStoredTheme = (): void => {
  const choice = themeChoiceFrom(storedText(themeStorageKey));
  document.documentElement.dataset['theme'] = shownTheme(choice, matchMedia(darkQuery).matches);
};
