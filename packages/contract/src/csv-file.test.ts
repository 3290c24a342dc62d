import { describe, expect, it } from 'vitest';
import { decodeFile, detectDelimiter, splitSeparatorLine } from './csv-file.ts';
import { sampleWords } from './text-encoding.ts';

const limits = { bytes: 1_000_000, rows: 10 };
const decode = (bytes: Uint8Array, encoding?: Parameters<typeof decodeFile>[3]) =>
  decodeFile(bytes, 'list.csv', limits, encoding);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Without a byte order mark. */
const utf16 = (text: string, isLittleEndian: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let index = 0; index < text.length; index += 1)
    view.setUint16(index * 2, text.charCodeAt(index), isLittleEndian);
  return new Uint8Array(view.buffer);
};

describe('the separator', () => {
  it.each([
    ['Name;Type;City\nSep Harbor;organization;Vail\n', ';'],
    ['"Unit, county, state";Name;Type\nx;Quote Patrol;organization\n', ';'],
    ['Name\tType\tCity, place, area, region\nTab Patrol\torganization\tBern\n', '\t'],
    ['"Name\nof the unit";Type;City\nLF Patrol;organization;Bern\n', ';'],
    ['a|b\n1|2\n', '|'],
    ['name,type,address\nShort,organization\nRow\n', ','],
    ['Ort;Fläche\nBern;15,4\nGenf;49,5\n', ';'],
    ['"a ""quoted; text"";", b\n1,2\n', ','],
    ['5" hose, 6" hose\n1;2,3\n', ','],
    ['only one column\n', ','],
    ['', ','],
  ])('of %j is %j', (text, expected) => {
    expect(detectDelimiter(text)).toBe(expected);
  });

  it('is that of the separator line, which is no row, or the chosen one', () => {
    expect(splitSeparatorLine('sep=;\r\na;b,c\r\n')).toEqual({ text: '\r\na;b,c\r\n', delimiter: ';' });
    expect(splitSeparatorLine('"sep=\t"\na\tb\n')).toEqual({ text: '\na\tb\n', delimiter: '\t' });
    expect(splitSeparatorLine('sep=,\na;b\n', ';')).toEqual({ text: '\na;b\n', delimiter: ';' });
    expect(splitSeparatorLine('september;b\n1;2\n').text).toBe('september;b\n1;2\n');
  });
});

describe('the encoding', () => {
  it('is detected, and only guessed if the bytes do not prove it', () => {
    expect(decode(utf8('Zürich'))).toEqual({ encoding: 'utf-8', isGuessed: false, text: 'Zürich' });
    expect(decode(utf16('\ufeffZürich', true))).toEqual({
      encoding: 'utf-16le',
      isGuessed: false,
      text: 'Zürich',
    });
    expect(decode(utf16('name,Zürich', true))).toMatchObject({ encoding: 'utf-16le', isGuessed: true });
    expect(decode(utf16('name,Zürich', false))).toMatchObject({ encoding: 'utf-16be' });
    expect(decode(Uint8Array.from([0x5a, 0xfc, 0x80, 0x93]))).toEqual({
      encoding: 'windows-1252',
      isGuessed: true,
      text: 'Zü€“',
    });
  });

  it('can be chosen', () => {
    expect(decode(Uint8Array.from([0xcf, 0xf0, 0xe8]), 'windows-1251')).toMatchObject({ text: 'При' });
    expect(decode(Uint8Array.from([0x5a, 0xfc]), 'utf-8')).toEqual({
      problem: 'list.csv has characters that are not Unicode (UTF-8). Choose another encoding.',
    });
  });

  it('of a file that is no text is none', () => {
    expect(decode(Uint8Array.from([1, 0, 2, 0, 0, 3]))).toEqual({
      problem: 'list.csv is not a text file. Save it as XLSX or as "CSV UTF-8".',
    });
    expect(decode(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0]))).toEqual({
      problem: 'list.csv is not a workbook of the format XLSX. Save it as XLSX or as "CSV UTF-8".',
    });
  });

  it('is shown by words that depend on it', () => {
    expect(sampleWords('name;Zürich;"Élan, Ski";Bern\nZürich;Übersee x\n')).toEqual([
      'Zürich',
      'Élan',
      'Übersee',
    ]);
  });

  // With quadratic time, it would exceed the timeout of the test.
  it('is shown by words of a long line in linear time', () => {
    expect(sampleWords(`${'a'.repeat(200_000)} Zürich`)).toEqual(['Zürich']);
  });
});
