import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldSpellings } from './fold-text.ts';
import { matchesWords, normalizeSearchText, toSearchedText, toSearchWords } from './text-search.ts';

const matches = (search: string, ...values: readonly (string | null)[]): boolean =>
  matchesWords(toSearchWords(search), toSearchedText(values));

describe('a search', () => {
  it.each([
    ['patrol ski', 'Vail Ski Patrol'],
    ['pat va', 'Vail Ski Patrol'],
    ['KI PA', 'Vail Ski Patrol'],
    ['zurich', 'Zürich Seenot'],
    ['zuerich', 'Zürich Seenot'],
    ['Zürich', 'Zuerich Seenot'],
    ['Zürich', 'Zurich Rescue'],
    ['zu\u0308rich', 'ZÜRICH SEENOT'],
    ['zur', 'Zürich'],
    ['zue', 'Zürich'],
    ['aarhus', 'Århus Havn'],
    ['arhus', 'Århus Havn'],
    ['århus', 'Aarhus Havn'],
    ['oersted', 'Ørsted'],
    ['orsted', 'Ørsted'],
    ['Ørsted', 'Oersted'],
    ['aero', 'Ærø'],
    ['aeroe', 'Ærø'],
    ['strasse', 'Straße 7'],
    ['STRAẞE', 'Strasse 7'],
    ['ski\u200b patrol', 'Ski Patrol'],
    ['\ufeffski', 'Ski Patrol'],
    ['ski', 'S\u00adk\u200di Patrol'],
    ['\u200fשלום', 'תחנת שלום'],
    ['حرس', 'حرس السواحل'],
    ["o'neill", 'O’Neill Harbor'],
    ['O’Neill', "O'Neill Harbor"],
    ['saint-denis', 'Saint–Denis'],
    ['saint‐denis', 'Saint-Denis'],
    ['100%', 'Harbor 100% (South)'],
    ['(south) 100', 'Harbor 100% (South)'],
  ])('for "%s" finds "%s"', (search, name) => {
    expect(matches(search, name)).toBe(true);
  });

  it.each([
    ['vail harbor', 'Vail Ski Patrol'],
    // Only a letter with an umlaut has two spellings: `ue` in other words is no umlaut.
    ['blue', 'Bluff Point'],
    ['aerial', 'Arial'],
    ['fulton', 'Fuelton'],
    ['.*', 'Ski Patrol'],
    ['patrolvail', 'Vail Ski Patrol'],
  ])('for "%s" does not find "%s"', (search, name) => {
    expect(matches(search, name)).toBe(false);
  });

  it('finds words in different values, but no word across two values', () => {
    expect(matches('vail ski', 'Ski Patrol', 'Vail', null)).toBe(true);
    expect(matches('ski vail', 'Ski', 'Vail')).toBe(true);
    expect(matches('skivail', 'Ski', 'Vail')).toBe(false);
    expect(matches('null', null)).toBe(false);
  });

  it('has no words without visible characters', () => {
    for (const text of ['', ' \t ', '\u200b', '\u200f \ufeff', '\u0301'])
      expect(toSearchWords(text)).toEqual([]);
    expect(normalizeSearchText(' a\u0000\u200bb ')).toBe('a b');
  });

  it('joins the last words of a long search', () => {
    expect(toSearchWords('a b c d e f g h')).toEqual([['a'], ['b'], ['c'], ['d'], ['e'], ['f g h']]);
    expect(toSearchWords('ä ö ü å')).toEqual([
      ['a', 'ae'],
      ['o', 'oe'],
      ['u a', 'ue aa'],
    ]);
    expect(
      matches('vail valley east upper base ski patrol 7', 'Vail Valley East Upper Base Ski Patrol 70'),
    ).toBe(true);
    expect(
      matches('vail valley east upper base ski patrol 8', 'Vail Valley East Upper Base Ski Patrol 70'),
    ).toBe(false);
  });
});

const letters = fc.string({
  unit: fc.constantFrom(
    ...Array.from("aeouäöüåøæßAÄÖÜ szr-’'.%_\\("),
    'u\u0308',
    'o\u0308',
    '\u200b',
    '\u00ad',
    '\u0301',
    'ש',
    'م',
  ),
  maxLength: 12,
});

describe('every search', () => {
  it('finds each part of a name, in any case and with other words before it', () => {
    fc.assert(
      fc.property(letters, fc.nat(12), fc.nat(12), letters, (name, from, length, other) => {
        const part = name.normalize('NFC').slice(from, from + length);
        for (const text of [part, part.toUpperCase(), part.normalize('NFD')])
          expect(matches(text, `${other} ${name}`)).toBe(true);
      }),
    );
  });

  it('finds the words of a name in any order', () => {
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 3 }), (texts) => {
        const words = texts.map((text) => text.replaceAll(' ', ''));
        expect(matches(words.toReversed().join(' '), words.join(' '))).toBe(true);
      }),
    );
  });

  it('finds a name by each of its spellings, and each spelling by the name', () => {
    fc.assert(
      fc.property(letters, (name) => {
        for (const spelling of foldSpellings(name)) {
          expect(matches(spelling, name)).toBe(true);
          expect(matches(name, spelling)).toBe(true);
        }
      }),
    );
  });

  it('finds at most what it finds with fewer letters', () => {
    fc.assert(
      fc.property(letters, letters, fc.nat(12), (search, name, length) => {
        const isFound = matches(search, name);
        const shorter = search.normalize('NFC').slice(0, length);
        if (isFound) expect(matches(shorter, name)).toBe(true);
      }),
    );
  });
});
