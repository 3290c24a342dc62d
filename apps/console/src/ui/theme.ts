/** Light, dark, or what the system says. Used by the boot script too, so it imports nothing. */

const themeChoices = ['light', 'dark', 'system'] as const;
export type ThemePreference = (typeof themeChoices)[number];

export const themeStorageKey = 'theme';

export const darkQuery = '(prefers-color-scheme: dark)';

/** The choice behind stored text; anything unknown means the system's. */
export const parseThemePreference = (stored: string | null): ThemePreference =>
  themeChoices.find((choice) => choice === stored) ?? 'system';

/** What is shown for a choice on a system that prefers dark or not. */
export const resolveTheme = (choice: ThemePreference, systemIsDark: boolean): 'light' | 'dark' => {
  if (choice === 'system') return systemIsDark ? 'dark' : 'light';
  return choice;
};
