import { describe, expect, it } from 'vitest';
import { resolveTheme, parseThemePreference } from './theme.ts';

describe('the theme', () => {
  it('is the system theme without a preference and for unknown text', () => {
    for (const stored of [null, '', 'system', 'sepia', '__proto__']) {
      expect(resolveTheme(parseThemePreference(stored), true)).toBe('dark');
      expect(resolveTheme(parseThemePreference(stored), false)).toBe('light');
    }
  });

  it('is the preferred theme with either system theme', () => {
    for (const systemIsDark of [true, false]) {
      expect(resolveTheme(parseThemePreference('light'), systemIsDark)).toBe('light');
      expect(resolveTheme(parseThemePreference('dark'), systemIsDark)).toBe('dark');
    }
  });
});
