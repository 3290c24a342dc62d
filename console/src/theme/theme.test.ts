import { describe, expect, it } from 'vitest';
import { shownTheme, themeChoiceFrom } from './theme.ts';

describe('the theme', () => {
  it("is the system's until somebody chooses, and for anything unknown", () => {
    for (const stored of [null, '', 'system', 'sepia', '__proto__']) {
      expect(shownTheme(themeChoiceFrom(stored), true)).toBe('dark');
      expect(shownTheme(themeChoiceFrom(stored), false)).toBe('light');
    }
  });

  it('is what was chosen, whatever the system says', () => {
    for (const systemIsDark of [true, false]) {
      expect(shownTheme(themeChoiceFrom('light'), systemIsDark)).toBe('light');
      expect(shownTheme(themeChoiceFrom('dark'), systemIsDark)).toBe('dark');
    }
  });
});
