import { expect, it } from 'vitest';
import { quoted, splitQuoted } from './quoted-text.tsx';

it('splits a sentence at its data, which cannot contain a mark', () => {
  expect(splitQuoted('No data.')).toEqual(['No data.']);
  expect(splitQuoted(`Remove ${quoted('Ann')} from ${quoted('A\u2069B\u2068')}?`)).toEqual([
    'Remove ',
    'Ann',
    ' from ',
    'AB',
    '?',
  ]);
  expect(splitQuoted(`${quoted('')} left`)).toEqual(['', '', ' left']);
});
