/** Light, dark, or what the system says. Used by the boot script too, so it imports nothing. */

const themeChoices = ['light', 'dark', 'system'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

export const themeStorageKey = 'theme';

export const darkQuery = '(prefers-color-scheme: dark)';

/** The choice behind stored text; anything unknown means the system's. */
export const themeChoiceFrom = (stored: string | null): ThemeChoice =>
  themeChoices.find((choice) => choice === stored) ?? 'system';

/** What is shown for a choice on a system that prefers dark or not. */
export const shownTheme = (choice: ThemeChoice, systemIsDark: boolean): 'light' | 'dark' => {
  if (choice === 'system') return systemIsDark ? 'dark' : 'light';
  return choice;
};
