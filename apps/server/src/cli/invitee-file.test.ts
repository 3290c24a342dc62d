/** Tests of CSV files in the formats of spreadsheet programs, and of invalid files. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { UsageError } from './usage-error.ts';
import { toTerminalText } from '../log.ts';
import { readInviteeFile } from './invitee-file.ts';
import { createLocalFiles } from './local-files.ts';

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-csv-'));
const file = path.join(directory, 'invitees.csv');
afterAll(() => fs.rmSync(directory, { recursive: true }));

const read = (content: string | Buffer) => {
  fs.writeFileSync(file, content);
  return readInviteeFile(createLocalFiles(directory), file);
};
const ann = { line: 2, email: 'ann@example.org', fullName: 'Ann Lee' };

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
    { line: 3, email: 'ann@example.org', fullName: 'Lee, Ann "Annie"' },
    { line: 5, email: 'bo@example.org', fullName: 'Bo Ek' },
  ]);
});

it('reads notes of several lines and expiries; a note may start with a hyphen', async () => {
  const content =
    'note,email,expires,name\n"- one\n@two",ann@example.org,3d,Ann Lee\n,bo@example.org,,Bo Ek\n';
  expect(await read(content)).toEqual([
    { line: 3, email: 'ann@example.org', fullName: 'Ann Lee', note: '- one\n@two', expires: '3d' },
    { line: 4, email: 'bo@example.org', fullName: 'Bo Ek', note: '', expires: '' },
  ]);
});

it('counts no commas of quoted cells as cells', async () => {
  const fullName = `Ann, "A"${','.repeat(200)}`;
  expect(await read(`email,name\nann@example.org,"${fullName.replaceAll('"', '""')}"\n`)).toEqual([
    { ...ann, fullName },
  ]);
});

const utf16 = Buffer.from('\ufeffemail,name\nann@example.org,Ann\n', 'utf16le');

it.each<[string, string | Buffer, RegExp]>([
  ['an empty file', '', /^invitees\.csv is empty\.$/],
  ['a header without rows', 'email,name\n', /no rows below its header\.$/],
  [
    'no header',
    'ann@example.org,Ann Lee\n',
    /must be "email,name" \(or full_name\), optionally with note and expires, not "ann@example\.org, Ann Lee"\.$/,
  ],
  [
    'a row of two of four cells',
    'email,name,note,expires\na@b.co,Ann\n',
    /^Line 2 .* does not have four cells\.$/,
  ],
  ['a repeated name', 'email,name,full_name\na@b.co,Ann,Ann\n', /not "email, name, full_name"\.$/],
  ['an unknown column', 'email,name,role\na@b.co,Ann,admin\n', /not "email, name, role"\.$/],
  ['a repeated header', 'email,email\na@b.co,Ann\n', /not "email, email"\.$/],
  [
    'Latin-1',
    Buffer.from('email,name\na@b.co,Z\xfcrich\n', 'latin1'),
    /is not UTF-8\. Save it as "CSV UTF-8"\.$/,
  ],
  ['UTF-16', utf16, /is not UTF-8/],
  [
    'a row of three cells',
    'email,name\na@b.co,Ann,Lee\n',
    /^Line 2 of invitees\.csv does not have two cells\.$/,
  ],
  ['a row of one cell', 'email,name\na@b.co\n', /^Line 2 of invitees\.csv does not have two cells\.$/],
  [
    'a header of very many cells',
    `email,name${','.repeat(100_000)}`,
    /^Line 1 of invitees\.csv has more than 100 cells\.$/,
  ],
  [
    'a row of very many cells',
    `email,name\r\na@b.co,"Ann\r\nLee"\r\nb@b.co${','.repeat(100_000)}`,
    /^Line 4 of invitees\.csv has more than 100 cells\.$/,
  ],
  ['an unclosed quotation mark', 'email,name\na@b.co,"Ann\nc@d.co,Bo\n', /quotation mark is not closed/],
  [
    'an unclosed quotation mark far from the end',
    `email,name\na@b.co,"Ann\n${'c@d.co,Bo Ek\n'.repeat(1000)}`,
    /is not closed\.$/,
  ],
  ['a quote inside a cell', 'email,name\na@b.co,An"n\n', /^Line 2 of invitees\.csv: a quotation mark/],
  ...['=1+1', '+ann', '-ann', '@ann', '"=cmd|x"', '\t=1'].map((cell): [string, string, RegExp] => [
    `the formula ${JSON.stringify(cell)}`,
    `email,name\na@b.co,${cell}\n`,
    /^Line 2 of invitees\.csv: name starts with "[=+@-]" like a formula\.$/,
  ]),
  [
    '100,001 rows',
    `email,name\n${'a@b.co,Ann\n'.repeat(100_001)}`,
    /has more than 100,000 rows\. Split it\.$/,
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
  await expect(readInviteeFile(createLocalFiles(directory), name)).rejects.toThrow(
    /cannot be read \((ENOENT|EISDIR)\)\.$/,
  );
});

it('replaces terminal control characters', () => {
  expect(toTerminalText('a\u001b[2J\u202eb\u0000\r\n')).toBe('a\ufffd[2J\ufffdb\ufffd\ufffd\ufffd');
});
