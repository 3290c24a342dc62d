import { expect, it } from 'vitest';
import { extractPatternWords } from './pattern-words.ts';

it.each([
  ['imatch', 'patrol 500000 ', '{"patrol","500000"}'],
  ['imatch', 'st\\. anton\\-arlberg', '{"anton","arlberg"}'],
  ['match', 'Zürich Nord', '{"Zürich","Nord"}'],
  ['ilike', '%harbor%north%', '{"harbor","north"}'],
  ['like', 'a_harbor\\%north', '{"harbor","north"}'],
  ['ilike', 'null null', '{"null","null"}'],
] as const)('%s %s has words of its own', (operator, pattern, words) => {
  expect(extractPatternWords(operator, pattern)).toBe(words);
});

it.each([
  ['imatch', 'patrol'],
  ['imatch', 'a b cd ef'],
  ['imatch', 'harbor|north'],
  ['imatch', 'harbor.?north'],
  ['match', '\\mharbor north'],
  ['match', '***=harbor north'],
  ['match', '[harbor] north'],
  ['like', '%harbor%'],
  ['ilike', "ΟΔΑΣ'ΒΓΔ north"],
  ['ilike', '%I\u0307zmir north%'],
] as const)('%s %s stays as it is', (operator, pattern) => {
  expect(extractPatternWords(operator, pattern)).toBeNull();
});

it('a long text is looked for by its first eight words', () => {
  expect(extractPatternWords('imatch', 'word '.repeat(50))).toBe(`{${Array(8).fill('"word"').join()}}`);
});
