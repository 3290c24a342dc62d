import { describe, expect, it } from 'vitest';
import { importColumnNames, importColumnRules } from './import-columns.ts';
import { guessColumns } from './column-guess.ts';
import { foldWord } from './import-types.ts';
import { inviteeColumnNames } from './invitee-columns.ts';
import { createListFile, findExtraCells, joinLines, listUnusedColumns } from './list-file.ts';

const create = (records: readonly (readonly string[])[], hasHeader?: boolean) =>
  createListFile(
    records.map((record, index) => ({ record, line: index + 1 })),
    {
      name: 'list.csv',
      limits: { bytes: 1, rows: 3 },
      reading: { text: null, workbook: null },
      hasHeader,
      columnNames: importColumnNames,
    },
  );

describe('the header', () => {
  it.each<[readonly (readonly string[])[], boolean]>([
    [
      [
        ['Name', 'Kind'],
        ['Vail', 'x'],
      ],
      true,
    ],
    [
      [
        ['Verband', 'Anmerkung'],
        ['Vail', 'x'],
      ],
      true,
    ],
    [
      [
        ['Name', '2025'],
        ['Vail', '3'],
      ],
      true,
    ],
    [
      [
        ['Alpine, CA', '39.1646', '-120.2387'],
        ['Bear, CA', '34.2267', '-116.8602'],
      ],
      false,
    ],
    [
      [
        ['Ann Lee', 'ann@example.org'],
        ['Bo Ek', 'bo@example.org'],
      ],
      false,
    ],
  ])('of %j is recognized: %j', (records, expected) => {
    expect(create(records)).toMatchObject({
      hasHeader: expected,
      records: expected ? [records[1]] : records,
    });
  });

  it('can be chosen, and columns without a name get one', () => {
    expect(
      create(
        [
          ['Name', '', 'x'],
          ['a', 'b', 'c'],
        ],
        false,
      ),
    ).toMatchObject({
      header: ['Column 1', 'Column 2', 'Column 3'],
      lines: [1, 2],
    });
    expect(
      create([
        ['Name', '', 'x'],
        ['a', 'b', 'c'],
      ]),
    ).toMatchObject({
      header: ['Name', 'Column 2', 'x'],
      lines: [2],
    });
  });

  it('counts as no row', () => {
    expect(create([['Name'], ['a'], ['b'], ['c']])).toMatchObject({ lines: [2, 3, 4] });
    expect(create([['Name'], ['a'], ['b'], ['c'], ['d']])).toMatchObject({
      problem: 'list.csv has more than 3 rows. Split it into several files.',
    });
    expect(create([['Name']])).toEqual({ problem: 'list.csv has no rows below its header.' });
    expect(create([])).toEqual({ problem: 'list.csv is empty.' });
  });
});

describe('the columns', () => {
  const guess = (header: readonly string[], records: readonly (readonly string[])[] = []) =>
    guessColumns(header, importColumnNames, { records, accepts: importColumnRules });

  it.each<[readonly string[], readonly (string | null)[]]>([
    [
      ['Name', 'Type', 'Town'],
      ['name', 'account_type', 'city'],
    ],
    [
      ['Resort_name', 'Nearest_city', 'State_or_province'],
      ['name', 'city', 'state'],
    ],
    [
      ['short_name', 'name', 'name:en', 'addr:city', 'addr:street'],
      [null, 'name', null, 'city', 'address'],
    ],
    [
      ['National_park', 'Region', 'Municipality'],
      ['name', 'state', 'city'],
    ],
    [
      ['City', 'town'],
      ['city', null],
    ],
    [
      ['Bezeichnung', 'PLZ', 'Straße', 'Ort'],
      ['name', 'zip_code', 'address', 'city'],
    ],
    [
      ['Resort', 'Country'],
      ['name', null],
    ],
    [
      ['accountName', 'Zip/Postal Code'],
      ['name', 'zip_code'],
    ],
    [
      ['', 'Name', 'a', ''],
      [null, 'name', null, null],
    ],
  ])('of %j are %j', (header, expected) => {
    expect(guess(header)).toEqual(expected);
  });

  it('with other texts than IDs are no IDs', () => {
    expect(guess(['ID', 'Name'], [['1', 'Vail']])).toEqual([null, 'name']);
    expect(
      guess(
        ['ID', 'Name'],
        [
          ['6F9619FF-8B86-4011-B42D-00CF4FC964FF', 'Vail'],
          ['', 'x'],
        ],
      ),
    ).toEqual(['id', 'name']);
  });

  it('of invitees can have a first and a last name', () => {
    const header = ['Email Address', 'First Name', 'Last Name', 'Team'];
    const expected = ['email', 'firstName', 'lastName', null];
    expect(guessColumns(header, inviteeColumnNames, { records: [] })).toEqual(expected);
  });

  it('without a use are listed if they have a text', () => {
    const list = {
      header: ['Name', 'Notes', 'Column 3'],
      records: [
        ['a', 'x', ''],
        ['b', '', ''],
      ],
    };
    expect(listUnusedColumns(list, ['name', null, null])).toEqual(['Notes']);
  });
});

it('accepts missing and empty cells at the end of a row, and names a text beyond the header', () => {
  expect(findExtraCells(['a'], 3)).toBeNull();
  expect(findExtraCells(['a', 'b', 'c', '', ''], 3)).toBeNull();
  expect(findExtraCells(['a', 'b', 'c', 'd'], 3)).toBe(
    'The row has 4 cells, but the header has 3: "d" is in no column',
  );
});

it('joins the lines of a cell, without empty ones', () => {
  expect(joinLines('  Main St 1 \r\n\r\n\t Vail\rCO\u2028\n', ', ')).toBe('Main St 1, Vail, CO');
  expect(joinLines(' \n ', ', ')).toBe('');
});

// With quadratic time, it would exceed the timeout of the test.
it('joins the lines of a cell with many spaces in linear time', () => {
  const spaces = ' '.repeat(200_000);
  expect(joinLines(`a${spaces}b\nc`, ' ')).toBe(`a${spaces}b c`);
});

// With quadratic time, it would exceed the timeout of the test.
it('does not fold long headers and words', () => {
  const long = `name ${'\u0301\u0323'.repeat(100_000)}`;
  expect(guessColumns([long], importColumnNames, { records: [] })).toEqual([null]);
  expect(foldWord(` ${long} `)).toBe(long);
});
