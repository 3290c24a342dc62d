/** Compares the error codes of the Functions API with docs/api.md. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { domainErrorStatuses } from '../errors.ts';

const source = fileURLToPath(new URL('.', import.meta.url));
const page = fs.readFileSync(path.join(source, '../../../../docs/api.md'), 'utf8');

it('docs/api.md names every error code of the functions, with its status', () => {
  const named = [...page.matchAll(/\b(\d{3}) ((?:`\w+`(?:, )?)+)/g)].flatMap(([, status = '', codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => `${status} ${code}`),
  );
  const expected = Object.entries(domainErrorStatuses).map(([code, status]) => `${status} ${code}`);
  expect(expected.length).toBeGreaterThan(40);
  expect(expected.filter((each) => !named.includes(each))).toEqual([]);
});
