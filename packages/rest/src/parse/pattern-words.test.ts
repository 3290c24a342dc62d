import { describe, expect, it } from 'vitest';
import { extractPatternWords, toLikePattern } from './pattern-words.ts';

it.each([
  ['imatch', 'patrol 500000 ', '{"patrol","500000"}'],
  ['imatch', 'st\\. anton\\-arlberg', '{"anton","arlberg"}'],
  ['match', 'Zürich Nord', '{"Zürich","Nord"}'],
  ['ilike', '%harbor%north%', '{"harbor","north"}'],
  ['like', 'a_harbor\\%north', '{"harbor","north"}'],
  ['ilike', 'null null', '{"null","null"}'],
  ['imatch', 'patrol', '{"patrol"}'],
  ['like', '%harbor%', '{"harbor"}'],
] as const)('extracts the words of %s %s', (operator, pattern, words) => {
  expect(extractPatternWords(operator, pattern)?.words).toBe(words);
});

it.each([
  ['imatch', 'a b cd ef'],
  ['imatch', 'harbor|north'],
  ['imatch', 'harbor.?north'],
  ['match', '\\mharbor north'],
  ['match', '***=harbor north'],
  ['match', '[harbor] north'],
  ['ilike', "ΟΔΑΣ'ΒΓΔ north"],
  ['ilike', '%I\u0307zmir north%'],
] as const)('extracts no words from %s %s', (operator, pattern) => {
  expect(extractPatternWords(operator, pattern)).toBeNull();
});

it('extracts the first eight words of a long text', () => {
  const words = `{${Array(8).fill('"word"').join()}}`;
  expect(extractPatternWords('imatch', 'word '.repeat(50))).toEqual({ words, count: 50 });
});

describe('a regular expression without special syntax', () => {
  for (const [expression, pattern] of [
    ['rescue', '%rescue%'],
    ['', '%%'],
    ['fire \\(volunteer\\) 50%_x', '%fire (volunteer) 50\\%\\_x%'],
    ['a\\\\b', '%a\\\\b%'],
    ['ä\nß', '%ä\nß%'],
  ] as const)
    it(`is compared with like: ${JSON.stringify(expression)}`, () => {
      expect(toLikePattern(expression)).toBe(pattern);
    });

  it('does not include classes, anchors, alternatives and escapes with a meaning', () => {
    for (const expression of [
      '^a',
      'a$',
      'a.b',
      'a|b',
      '[ab]',
      'a+',
      '\\d',
      '\\m',
      '\\1',
      '(a)',
      '***=a',
      'a\\',
    ])
      expect(toLikePattern(expression), expression).toBe(null);
  });
});
