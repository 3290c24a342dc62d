import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapePattern, quoteFilterValue, textSearchFilter } from './search-filter.ts';

describe('filter of the data interface', () => {
  // Postgres and JavaScript agree on the meaning of an escaped special character.
  it('matches exactly the text itself', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, other) => {
        const pattern = new RegExp(`^(?:${escapePattern(text)})$`, 's');
        expect(pattern.test(text)).toBe(true);
        expect(pattern.test(other)).toBe(other === text);
      }),
    );
  });
  it('quotes so that reading the value back gives the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const quoted = quoteFilterValue(text);
        const inner = quoted.slice(1, -1);
        expect(inner.replace(/\\(.)/gs, '$1')).toBe(text);
        // No quote ends the value early.
        expect(inner.replace(/\\./gs, '')).not.toContain('"');
      }),
    );
  });
  it('looks in every named column', () => {
    expect(textSearchFilter(['name', 'slug'], 'a.b,"c"')).toBe(
      'name.imatch."a\\\\.b,\\"c\\"",slug.imatch."a\\\\.b,\\"c\\""',
    );
  });
});
