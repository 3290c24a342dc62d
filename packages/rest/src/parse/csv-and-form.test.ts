/** Property tests of the CSV and form parsers. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RestError } from '../errors.ts';
import { parseCsv, parseForm } from './csv-and-form.ts';

const cell = fc.string({
  unit: fc.constantFrom('"', ',', '\n', '\r', '=', '&', '+', '%', ' ', 'é', 'N'),
  maxLength: 6,
});
const table = fc
  .integer({ min: 1, max: 3 })
  .chain((width) =>
    fc.tuple(
      fc.uniqueArray(cell, { minLength: width, maxLength: width }),
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 3 }),
    ),
  );
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

it('parses serialized rows', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ([keys, lines]) => {
      const csv = [keys, ...lines].map((cells) => cells.map(quoted).join(',')).join('\n');
      const rows = lines.map((cells) =>
        Object.fromEntries(keys.map((key, index) => [key, cells[index] ?? ''])),
      );
      expect(JSON.parse((await parseCsv(csv, 10_000)).text)).toEqual(rows);
      for (const row of rows) {
        const form = new URLSearchParams(row);
        expect(JSON.parse(parseForm(form.toString(), 10_000).text)).toEqual(row);
      }
    }),
    { numRuns: 300 },
  );
});

it('throws API errors only', async () => {
  const text = fc
    .array(fc.oneof(cell, fc.constantFrom('\r\n', '""', '\ufeff', 'NULL', '%00', '[['.repeat(40))))
    .map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(text, async (body) => {
      for (const parseBody of [() => parseCsv(body, 100), async () => parseForm(body, 100)]) {
        await parseBody().catch((error: unknown) => expect(error).toBeInstanceOf(RestError));
      }
    }),
    { numRuns: 500 },
  );
});

it('parses CSV in chunks that split characters and rows', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => `${index},"é,""${index}\r\n"`);
  const { text } = await parseCsv(`id,word\r\n${rows.join('\r\n')}`, 1_000_000);
  expect(JSON.parse(text)).toEqual(rows.map((_, index) => ({ id: String(index), word: `é,"${index}\r\n` })));
});

it('rejects forms with more than the maximum number of pairs', () => {
  expect(parseForm('a=1&'.repeat(9999), 100).keys).toEqual(['a']);
  expect(() => parseForm('a=1&'.repeat(10_000), 100)).toThrow('A form accepts at most 10000 pairs');
});

it.each(['\u0001', '"', '\\', 'é'])('limits a form of "%s" by its size as JSON', (character) => {
  const form = `name=${encodeURIComponent(character.repeat(100))}`;
  const bytes = Buffer.byteLength(JSON.stringify({ name: character.repeat(100) }));
  expect(parseForm(form, bytes).keys).toEqual(['name']);
  expect(() => parseForm(form, bytes - 1)).toThrow(`The form is larger than ${bytes - 1} bytes as json`);
});
