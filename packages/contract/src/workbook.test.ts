import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readWorkbook } from './workbook.ts';

const limits = { bytes: 50_000_000, rows: 1000 };

const part = (content: string): Uint8Array => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${content}`);

/** Creates a workbook with one sheet for each content of `sheetData`. */
function createWorkbook(
  sheets: Readonly<Record<string, string>>,
  more: Record<string, Uint8Array> = {},
): Uint8Array {
  const names = Object.keys(sheets);
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return zipSync({
    'xl/workbook.xml': part(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names
        .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': part(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
        .map(
          (_, index) =>
            `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join('')}</Relationships>`,
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        part(`<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`),
      ]),
    ),
    ...more,
  });
}

const text = (position: string, content: string): string =>
  `<c r="${position}" t="inlineStr"><is><t>${content}</t></is></c>`;
const read = (bytes: Uint8Array) => readWorkbook(bytes, 'list.xlsx', limits);

const bombBytes = 5_000_000;

/** Replaces the size of the part with `bombBytes` in the directory of the archive. */
function declareSize(bytes: Uint8Array, size: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0; offset < bytes.length - 46; offset += 1)
    if (view.getUint32(offset, true) === 0x02014b50 && view.getUint32(offset + 24, true) === bombBytes)
      view.setUint32(offset + 24, size, true);
  return bytes;
}

describe('readWorkbook', () => {
  it('reads the sheets that have rows, numbers as they are written, and the numbers of the rows', async () => {
    const rows =
      `<row r="1">${text('A1', 'Name')}${text('C1', 'Zip')}</row>` +
      `<row r="4">${text('A4', ' Zürich ')}<c r="C4"><v>08001</v></c></row>`;
    expect(await read(createWorkbook({ Empty: '', List: rows }))).toEqual({
      sheets: [
        {
          name: 'List',
          rows: [
            { record: ['Name', '', 'Zip'], line: 1 },
            { record: ['Zürich', '', '08001'], line: 4 },
          ],
        },
      ],
    });
  });

  it('reads a large sheet', async () => {
    const rows = Array.from(
      { length: 1000 },
      (_, index) => `<row r="${index + 1}">${text(`A${index + 1}`, 'x'.repeat(900))}</row>`,
    );
    expect(await read(createWorkbook({ List: rows.join('') }))).toMatchObject({ sheets: [{ name: 'List' }] });
  });

  it.each<[string, Uint8Array, string]>([
    ['no workbook', strToU8('PK\u0003\u0004rest'), 'list.xlsx cannot be read as an Excel workbook.'],
    [
      'a zip archive of other files',
      zipSync({ 'a.txt': strToU8('x') }),
      'cannot be read as an Excel workbook.',
    ],
    ['no rows', createWorkbook({ List: '' }), 'list.xlsx is empty.'],
    [
      'too many rows',
      createWorkbook({ List: `<row r="1002">${text('A1002', 'x')}</row>` }),
      'more than 1,000 rows',
    ],
    [
      'a position that would fill the memory',
      createWorkbook({ List: `<row  r = '9999999' spans=">">${text('A1', 'x')}</row>` }),
      'more than 1,000 rows',
    ],
    ['a position that is none', createWorkbook({ List: '<row r="1e9"></row>' }), 'cannot be read'],
    [
      'too many columns',
      createWorkbook({ List: `<row r="1">${text('XFD1', 'x')}</row>` }),
      'more than 200 columns',
    ],
    [
      'a row that is longer than one of a CSV file',
      createWorkbook({ List: `<row r="1">${text('A1', 'x'.repeat(262_145))}</row>` }),
      'list.xlsx is too large for a workbook.',
    ],
    [
      'more XML than the limit after decompression',
      declareSize(createWorkbook({ List: '' }, { 'xl/bomb.xml': new Uint8Array(bombBytes) }), 60_000_000),
      'list.xlsx is too large for a workbook.',
    ],
  ])('rejects %s with one sentence', async (_name, bytes, expected) => {
    const workbook = await read(bytes);
    expect('problem' in workbook && workbook.problem).toContain(expected);
  });

  it('decompresses no more than the archive declares', async () => {
    const bytes = declareSize(
      createWorkbook({ List: '' }, { 'xl/bomb.xml': new Uint8Array(bombBytes) }),
      100,
    );
    expect(await read(bytes)).toMatchObject({ problem: expect.stringContaining('list.xlsx') });
  });
});
