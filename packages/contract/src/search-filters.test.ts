import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAccountSearch } from './account-search.ts';
import { escapePattern, quoteFilterValue, toAccountFilters, toPlainFilters } from './search-filters.ts';

const filters = (text: string, isWide = false): readonly string[] =>
  toAccountFilters(parseAccountSearch(text, isWide) ?? []);

describe('filters of a search', () => {
  it('find all words in names, or all words in contacts', () => {
    expect(filters('Ski')).toEqual(['search_text.match."ski",contact_text.match."ski"']);
    expect(filters('Ski  PATROL')).toEqual([
      'and(search_text.match."ski",search_text.match."patrol"),and(contact_text.match."ski",contact_text.match."patrol")',
    ]);
    expect(filters('(Süd)')).toEqual([
      String.raw`search_text.match."\\(sud\\)",search_text.match."\\(sued\\)",contact_text.match."\\(sud\\)",contact_text.match."\\(sued\\)"`,
    ]);
    expect(filters('Süd ski')).toEqual([
      'and(or(search_text.match."sud",search_text.match."sued"),search_text.match."ski"),' +
        'and(or(contact_text.match."sud",contact_text.match."sued"),contact_text.match."ski")',
    ]);
    expect(filters('\u200b')).toEqual([]);
  });

  it('compare phone numbers as a whole', () => {
    expect(filters('044 668')).toEqual([
      'and(search_text.match."044",search_text.match."668"),contact_text.match."44668"',
    ]);
    expect(filters('6 7')).toEqual(['search_text.match."6"', 'search_text.match."7"']);
    expect(filters('668', true)).toEqual([
      'search_text.match."668",place_text.match."668",contact_text.match."668"',
    ]);
  });

  it('find each word in any column if the search is wide', () => {
    expect(filters('Ski Zoe', true)).toEqual([
      'search_text.match."ski",place_text.match."ski",contact_text.match."ski"',
      'search_text.match."zoe",place_text.match."zoe",contact_text.match."zoe"',
    ]);
  });

  it('contain the typed word and its spellings for a backend that does not fold', () => {
    const columns = (word: string): readonly string[] => (word === 'Ski' ? ['name', 'slug'] : ['name']);
    expect(toPlainFilters('Ski Zürich', columns)).toEqual([
      'name.imatch."ski",slug.imatch."ski"',
      'name.imatch."zürich",name.imatch."zurich",name.imatch."zuerich"',
    ]);
  });
});

describe('special characters', () => {
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
});
