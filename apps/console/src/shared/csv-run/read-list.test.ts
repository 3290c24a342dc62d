import { expect, it } from 'vitest';
import { inviteeColumnNames } from '@lanternrock/contract/invitee-columns';
import { readList, type ReadRequest } from './read-list.ts';

const limits = { bytes: 5 * 1024 * 1024, rows: 20_000 };

const read = (content: string | Uint8Array, choice: ReadRequest['choice'] = {}) =>
  readList({
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    name: 'list.csv',
    limits,
    columnNames: inviteeColumnNames,
    choice,
  });

it('reads cells of several lines, in the format of a spreadsheet', async () => {
  const content = '\ufeffE-Mail;Note;Expiry\r\nann@example.org;"one\ntwo";3d\r\n\r\nbo@example.org\r\n';
  expect(await read(content)).toEqual({
    name: 'list.csv',
    header: ['E-Mail', 'Note', 'Expiry'],
    hasHeader: true,
    records: [['ann@example.org', 'one\ntwo', '3d'], ['bo@example.org']],
    lines: [2, 5],
    reading: { text: { encoding: 'utf-8', delimiter: ';', isGuessed: false, sample: [] }, workbook: null },
  });
});

it('guesses the encoding with words to look at, and reads with the chosen one', async () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('email;name\na@b.co;Gr'), 0xfc, 0x6e, 0x0a]);
  expect(await read(bytes)).toMatchObject({
    records: [['a@b.co', 'Grün']],
    reading: { text: { encoding: 'windows-1252', isGuessed: true, sample: ['Grün'] } },
  });
  expect(await read(bytes, { encoding: 'windows-1251' })).toMatchObject({
    records: [['a@b.co', 'Grьn']],
    reading: { text: { encoding: 'windows-1251', isGuessed: false, sample: ['Grьn'] } },
  });
});

it('reads without a header, and with another separator, if the user says so', async () => {
  expect(await read('email,name\na@b.co,Ann\n', { hasHeader: false })).toMatchObject({
    header: ['Column 1', 'Column 2'],
    lines: [1, 2],
  });
  expect(await read('email,name\na;b\n', { delimiter: ';' })).toMatchObject({ header: ['email,name'] });
});

it('skips the line that names the separator', async () => {
  expect(await read('sep=;\r\nemail;name\r\na@b.co;Ann\r\n')).toMatchObject({ lines: [3] });
});

it.each<[string, string | Uint8Array, RegExp]>([
  ['an empty file', '', /^list\.csv is empty\.$/],
  ['only a header', 'email,name\n', /no rows below its header\.$/],
  ['no text', Uint8Array.from([1, 0, 2, 3, 0]), /is not a text file/],
  ['a broken workbook', Uint8Array.from([0x50, 0x4b, 3, 4, 0]), /cannot be read as an Excel workbook/],
  ['20,001 rows', `email,name\n${'a@b.co,Ann\n'.repeat(20_001)}`, /more than 20,000 rows/],
  ['an unclosed quotation mark', `email,name\na@b.co,"Ann\n${'c@d.co,Bo Ek\n'.repeat(19_000)}`, /not closed/],
  ['very many cells', `email,name\n${',\n,'.repeat(10)}${','.repeat(100_000)}`, /more than 200 cells/],
  ['more than 5 MB', 'x'.repeat(5_300_000), /larger than 5 MB/],
])('rejects %s with one sentence', async (_name, content, expected) => {
  const list = await read(content);
  expect('problem' in list && list.problem).toMatch(expected);
});

it('reads 20,000 rows without line end at the end', async () => {
  const list = await read(`email,name\n${'a@b.co,Ann\n'.repeat(19_999)}a@b.co,Ann`);
  expect('records' in list && list.records).toHaveLength(20_000);
});
