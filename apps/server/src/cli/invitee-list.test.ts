/** Lists of invitees in the formats of spreadsheet programs, and invalid files. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { UsageError } from './usage-error.ts';
import { toTerminalText } from '../log.ts';
import { parseInviteeListOptions, readInviteeList } from './invitee-list.ts';
import type { ListOptionValues } from './list-options.ts';
import { createLocalFiles } from './local-files.ts';

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-csv-'));
const file = path.join(directory, 'invitees.csv');
afterAll(() => fs.rmSync(directory, { recursive: true }));

const readList = (content: string | Buffer, options: ListOptionValues = {}) => {
  fs.writeFileSync(file, content);
  return readInviteeList(createLocalFiles(directory), file, parseInviteeListOptions(options));
};
const read = async (content: string | Buffer, options?: ListOptionValues) =>
  (await readList(content, options)).rows;
const ann = { line: 2, email: 'ann@example.org', fullName: 'Ann Lee', problem: null };

it.each([
  ['line feeds', 'email,name\nann@example.org,Ann Lee\n'],
  ['no line end at the end', 'email,name\nann@example.org,Ann Lee'],
  ['carriage returns and line feeds', 'email,name\r\nann@example.org,Ann Lee\r\n'],
  ['mixed line ends', 'email,name\r\nann@example.org,Ann Lee\n'],
  ['a byte order mark', '\ufeffemail,name\nann@example.org,Ann Lee\n'],
  ['another column order and letter case', 'Full_Name, EMAIL \nAnn Lee,ann@example.org\n'],
  ['semicolons', 'email;name\nann@example.org;Ann Lee\n'],
  ['quotes and spaces', '"email","name"\n "ann@example.org" ,"Ann Lee"\n'],
  ['empty rows at the end', 'email,name\nann@example.org,Ann Lee\n,\n\n , \n'],
])('reads a file with %s', async (_name, content) => {
  expect(await read(content)).toEqual([ann]);
});

it('reads quoted cells and counts all lines of the file', async () => {
  expect(await read('email,name\n\nann@example.org,"Lee, Ann ""Annie"""\n\nbo@example.org,Bo Ek\n')).toEqual([
    { ...ann, line: 3, fullName: 'Lee, Ann "Annie"' },
    { ...ann, line: 5, email: 'bo@example.org', fullName: 'Bo Ek' },
  ]);
});

it('reads notes of several lines and expiries; a note may start with a hyphen', async () => {
  const content =
    'note,email,expires,name\n"- one\n@two",ann@example.org,3d,Ann Lee\n,bo@example.org,,Bo Ek\n';
  expect(await read(content)).toEqual([
    { ...ann, note: '- one\n@two', expires: '3d' },
    { ...ann, line: 4, email: 'bo@example.org', fullName: 'Bo Ek', note: '', expires: '' },
  ]);
});

it('counts no commas of quoted cells as cells', async () => {
  const fullName = `Ann, "A"${','.repeat(200)}`;
  expect(await read(`email,name\nann@example.org,"${fullName.replaceAll('"', '""')}"\n`)).toEqual([
    { ...ann, fullName },
  ]);
});

it.each<[string, string | Buffer, ListOptionValues?]>([
  ['a first and a last name', 'Email Address,First Name,Last Name,Team\nann@example.org,Ann,Lee,North\n'],
  ['an empty column at the end', 'email,name,\n ann@example.org,Ann Lee,\n'],
  ['a line that names the separator', 'sep=;\r\nemail;name\r\nann@example.org;Ann Lee\r\n'],
  ['tabs, and commas in a header', 'email\tname\tTeam, place, area\nann@example.org\tAnn Lee\tNorth\n'],
  ['UTF-16', Buffer.from('\ufeffemail,name\nann@example.org,Ann Lee\n', 'utf16le')],
  ['chosen columns', 'who,where\nAnn Lee,ann@example.org\n', { column: ['email=2', 'name=WHO'] }],
  ['a header that contains the names', 'Contact_email,Contact_name\nann@example.org,Ann Lee\n'],
])('reads a file with %s', async (name, content, options) => {
  const line = name.startsWith('a line') ? 3 : 2;
  expect(await read(content, options)).toEqual([{ ...ann, line }]);
});

it('reads a file without a header, whose first row has an email address', async () => {
  expect(await read('ann@example.org,Ann Lee\n', { column: ['email=1', 'name=2'] })).toEqual([
    { ...ann, line: 1 },
  ]);
});

it('reads a file that is not UTF-8 with the chosen encoding only', async () => {
  const content = Buffer.from('email,name\nann@example.org,Ann Gr\xfcn \x80\n', 'latin1');
  await expect(read(content)).rejects.toThrow(
    'Read as windows-1252, it contains "Grün", "€". If these words are right, add --encoding windows-1252;',
  );
  expect(await read(content, { encoding: 'windows-1252' })).toEqual([{ ...ann, fullName: 'Ann Grün €' }]);
});

it('names the columns that it does not use', async () => {
  const { note } = await readList('email,name,role,,\nann@example.org,Ann Lee,admin,,\n');
  expect(note).toBe('Ignored columns: role.');
});

it('reports a row with more cells than the header, and reads the others', async () => {
  const rows = await read('email,name,note\na@b.co,Ann,x,y\nann@example.org,Ann Lee\n');
  expect(rows).toEqual([
    {
      ...ann,
      email: 'a@b.co',
      fullName: 'Ann',
      note: 'x',
      problem: 'The row has 4 cells, but the header has 3: "y" is in no column',
    },
    { ...ann, line: 3, note: '' },
  ]);
});

it.each<[string, string | Buffer, RegExp]>([
  ['an empty file', '', /^invitees\.csv is empty\.$/],
  ['a header without rows', 'email,name\n', /no rows below its header\.$/],
  [
    'no column of names',
    'email,team\na@b.co,North\n',
    /^invitees\.csv: Choose the column with the full name/,
  ],
  [
    'no column of emails',
    'name,team\nAnn,North\n',
    /Its columns are "name", "team"\. Use --column FIELD=HEADER\.$/,
  ],
  [
    'a header of very many cells',
    `email,name${','.repeat(100_000)}`,
    /^Line 1 of invitees\.csv has more than 200 cells\.$/,
  ],
  [
    'a row of very many cells',
    `email,name\r\na@b.co,"Ann\r\nLee"\r\nb@b.co${','.repeat(100_000)}`,
    /^Line 4 of invitees\.csv has more than 200 cells\.$/,
  ],
  [
    'an unclosed quotation mark',
    'email,name\na@b.co,"Ann\nc@d.co,Bo\n',
    /quotation mark before it is not closed/,
  ],
  [
    'an unclosed quotation mark far from the end',
    `email,name\na@b.co,"Ann\n${'c@d.co,Bo Ek\n'.repeat(1000)}`,
    /is not closed\.$/,
  ],
  [
    '100,001 rows',
    `email,name\n${'a@b.co,Ann\n'.repeat(100_001)}`,
    /has more than 100,000 rows\. Split it into several files\.$/,
  ],
])('rejects %s with a message of one line', async (_name, content, expected) => {
  const error: unknown = await read(content).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  const { message } = error as UsageError;
  expect(message).toMatch(expected);
  expect(message).not.toMatch(/[\r\n]/);
});

it('reads 100,000 rows', async () => {
  const rows = await read(`email,name\n${'a@b.co,Ann\n'.repeat(100_000)}`);
  expect(rows).toHaveLength(100_000);
  expect(rows.at(-1)?.line).toBe(100_001);
});

it.each(['missing.csv', '.'])('reports that %s cannot be read', async (name) => {
  await expect(
    readInviteeList(createLocalFiles(directory), name, parseInviteeListOptions({})),
  ).rejects.toThrow(/cannot be read \((ENOENT|EISDIR)\)\.$/);
});

it('replaces terminal control characters', () => {
  expect(toTerminalText('a\u001b[2J\u202eb\u0000\r\n')).toBe('a\ufffd[2J\ufffdb\ufffd\ufffd\ufffd');
});
