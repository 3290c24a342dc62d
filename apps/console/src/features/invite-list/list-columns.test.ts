import { expect, it } from 'vitest';
import { readCsv } from '../../forms/read-csv.ts';
import { findListProblem, guessListColumns, listFileLimits, toInvitees } from './list-columns.ts';

const read = (content: string | Uint8Array) =>
  readCsv(
    typeof content === 'string' ? new TextEncoder().encode(content) : content,
    'list.csv',
    listFileLimits,
  );

it('reads a list with notes of several lines, in the format of a spreadsheet', () => {
  const list = read(
    '\ufeffE-Mail;Full name;Note;Expiry;Phone\r\nann@example.org;Ann Lee;"one\ntwo";3d;1\r\n',
  );
  if ('problem' in list) throw new Error(list.problem);
  const mapping = guessListColumns(list.header);
  expect(mapping).toEqual(['email', 'fullName', 'note', 'expires', null]);
  expect(findListProblem(mapping)).toBeNull();
  expect(toInvitees(list, mapping)).toEqual([
    { line: 3, email: 'ann@example.org', fullName: 'Ann Lee', note: 'one\ntwo', expires: '3d' },
  ]);
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

it.each([
  [['email', null], 'Choose the column with the full name.'],
  [[null, 'fullName'], 'Choose the column with the email.'],
  [['email', 'email'], 'Several columns are chosen for email. Choose one.'],
] as const)('explains the columns %j', (mapping, expected) => {
  expect(findListProblem(mapping)).toBe(expected);
});
