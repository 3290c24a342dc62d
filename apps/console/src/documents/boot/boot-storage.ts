/** What both documents' first scripts read and do. */
import { darkQuery, resolveTheme, parseThemePreference, themeStorageKey } from '../../ui/theme.ts';

/** Null also where storage is blocked. */
export const readLocalStorage = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

export const applyStoredTheme = (): void => {
  const choice = parseThemePreference(readLocalStorage(themeStorageKey));
  document.documentElement.dataset['theme'] = resolveTheme(choice, matchMedia(darkQuery).matches);
};
