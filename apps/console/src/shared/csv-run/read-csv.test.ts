import { expect, it } from 'vitest';
import { readCsv } from './read-csv.ts';

const limits = { bytes: 5 * 1024 * 1024, rows: 20_000 };

const read = (content: string | Uint8Array) =>
  readCsv(typeof content === 'string' ? new TextEncoder().encode(content) : content, 'list.csv', limits);

it('reads cells of several lines, in the format of a spreadsheet', () => {
  expect(read('\ufeffE-Mail;Note;Expiry\r\nann@example.org;"one\ntwo";3d\r\n')).toEqual({
    name: 'list.csv',
    header: ['E-Mail', 'Note', 'Expiry'],
    records: [['ann@example.org', 'one\ntwo', '3d']],
    lines: [3],
  });
});

it.each<[string, string | Uint8Array, RegExp]>([
  ['an empty file', '', /^list\.csv is empty\.$/],
  ['only a header', 'email,name\n', /no rows below its header\.$/],
  ['Latin-1', Uint8Array.from([0x61, 0x0a, 0xfc, 0x0a]), /is not UTF-8/],
  ['a workbook', Uint8Array.from([0x50, 0x4b, 3, 4, 0]), /is an Excel workbook/],
  ['20,001 rows', `email,name\n${'a@b.co,Ann\n'.repeat(20_001)}`, /more than 20,000 rows/],
  ['an unclosed quotation mark', `email,name\na@b.co,"Ann\n${'c@d.co,Bo Ek\n'.repeat(19_000)}`, /not closed/],
  ['very many cells', `email,name\n${',\n,'.repeat(10)}${','.repeat(100_000)}`, /more than 200 cells/],
  ['more than 5 MB', 'x'.repeat(5_300_000), /larger than 5 MB/],
])('rejects %s with one sentence', (_name, content, expected) => {
  const list = read(content);
  expect('problem' in list && list.problem).toMatch(expected);
});

it('reads 20,000 rows without line end at the end', () => {
  const list = read(`email,name\n${'a@b.co,Ann\n'.repeat(19_999)}a@b.co,Ann`);
  expect('records' in list && list.records).toHaveLength(20_000);
});
