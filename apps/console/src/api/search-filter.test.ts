import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapePattern, foldedTextFilter, quoteFilterValue, textSearchFilter } from './search-filter.ts';

describe('search filter of the Data API', () => {
  // PostgreSQL and JavaScript treat an escaped special character alike.
  it('matches only the text itself', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, other) => {
        const pattern = new RegExp(`^(?:${escapePattern(text)})$`, 's');
        expect(pattern.test(text)).toBe(true);
        expect(pattern.test(other)).toBe(other === text);
      }),
    );
  });
  it('quotes a value so that parsing it returns the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const quoted = quoteFilterValue(text);
        const inner = quoted.slice(1, -1);
        expect(inner.replace(/\\(.)/gs, '$1')).toBe(text);
        // No unescaped quote ends the value early.
        expect(inner.replace(/\\./gs, '')).not.toContain('"');
      }),
    );
  });
  it('folds the text for a column of folded texts', () => {
    expect(foldedTextFilter('search_text', 'Zürich (Süd)')).toBe('search_text.match."zurich \\\\(sud\\\\)"');
  });
  it('searches every given column', () => {
    expect(textSearchFilter(['name', 'slug'], 'a.b,"c"')).toBe(
      'name.imatch."a\\\\.b,\\"c\\"",slug.imatch."a\\\\.b,\\"c\\""',
    );
  });
});
