import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { formatCsvHeader, csvLines } from './csv.ts';

it('writes the byte order mark before the names of the columns', () => {
  expect(formatCsvHeader(['id', 'name'])).toBe('\uFEFFid,name\r\n');
});

it('writes times in RFC 3339, numbers as they are and null as an empty cell', () => {
  expect(csvLines([['a', -3, null, new Date('2026-11-24T03:00:00Z')]])).toBe(
    'a,-3,,2026-11-24T03:00:00.000Z\r\n',
  );
  expect(csvLines([])).toBe('');
});

it.each(['=1+1', '+49 30', '-1', '@SUM(A1)', '＝1', '=HYPERLINK("x","y")'])(
  'writes an apostrophe before the formula %j',
  (cell) => {
    expect(parse(csvLines([[cell]]), { relax_column_count: true })).toEqual([[`'${cell}`]]);
  },
);

it.each(['a,b', 'say "yes"', 'two\nlines', 'two\r\nlines', ' spaces ', 'Zürich 🚒', 'עברית', "'quoted'"])(
  'writes the text %j so that a parser reads the same',
  (cell) => {
    expect(parse(csvLines([[cell, 'last']]))).toEqual([[cell, 'last']]);
  },
);

it('quotes each cell with a separator of another locale, and guards a formula behind it', () => {
  expect(csvLines([['Ann;=1', 'a|b', 'إنقاذ؛', 'x']])).toBe(`"Ann;'=1","a|b","إنقاذ؛",x\r\n`);
});
