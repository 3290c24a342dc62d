/** Theme preferences: light, dark or system. Has no imports, because the boot scripts include it. */

const themePreferences = ['light', 'dark', 'system'] as const;
export type ThemePreference = (typeof themePreferences)[number];

export const themeStorageKey = 'theme';

export const darkQuery = '(prefers-color-scheme: dark)';

/** Parses the stored preference. Unknown text means `system`. */
export const parseThemePreference = (stored: string | null): ThemePreference =>
  themePreferences.find((preference) => preference === stored) ?? 'system';

/** Returns the theme to show for a preference. */
export const resolveTheme = (preference: ThemePreference, systemIsDark: boolean): 'light' | 'dark' => {
  if (preference === 'system') return systemIsDark ? 'dark' : 'light';
  return preference;
};

/** @param fallback the preference if none is stored, or if local storage is blocked */
export const readThemePreference = (fallback: string | null = null): ThemePreference => {
  try {
    return parseThemePreference(localStorage.getItem(themeStorageKey) ?? fallback);
  } catch {
    return parseThemePreference(fallback);
  }
};

/** For the boot scripts, before the first paint. */
export const applyStoredTheme = (): void => {
  const theme = resolveTheme(readThemePreference(), matchMedia(darkQuery).matches);
  document.documentElement.dataset['theme'] = theme;
};
