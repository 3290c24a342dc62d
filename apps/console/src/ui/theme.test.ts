import { describe, expect, it } from 'vitest';
import { resolveTheme, parseThemePreference } from './theme.ts';

describe('the theme', () => {
  it("is the system's until somebody chooses, and for anything unknown", () => {
    for (const stored of [null, '', 'system', 'sepia', '__proto__']) {
      expect(resolveTheme(parseThemePreference(stored), true)).toBe('dark');
      expect(resolveTheme(parseThemePreference(stored), false)).toBe('light');
    }
  });

  it('is what was chosen, whatever the system says', () => {
    for (const systemIsDark of [true, false]) {
      expect(resolveTheme(parseThemePreference('light'), systemIsDark)).toBe('light');
      expect(resolveTheme(parseThemePreference('dark'), systemIsDark)).toBe('dark');
    }
  });
});
