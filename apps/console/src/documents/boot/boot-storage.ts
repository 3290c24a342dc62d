/** Local storage and theme functions of the boot scripts of both documents. */
import { darkQuery, resolveTheme, parseThemePreference, themeStorageKey } from '../../ui/theme.ts';

/** Returns null also if local storage is blocked. */
const readLocalStorage = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

export const applyStoredTheme = (): void => {
  const preference = parseThemePreference(readLocalStorage(themeStorageKey));
  document.documentElement.dataset['theme'] = resolveTheme(preference, matchMedia(darkQuery).matches);
};
