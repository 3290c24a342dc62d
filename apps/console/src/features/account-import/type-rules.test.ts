import type { ListFile } from '@lanternrock/contract/list-file';
import { foldWord } from '@lanternrock/contract/import-types';
import { expect, it } from 'vitest';
import { typeRules } from './type-rules.ts';

const file = (...types: readonly string[]): ListFile =>
  ({ records: types.map((type) => ['Patrol', type]) }) as unknown as ListFile;
const mapping = ['name', 'account_type'] as const;
const chosen = (...words: readonly string[]) => new Map(words.map((word) => [foldWord(word), 'enterprise']));

it('needs no type of all other rows after each word has one', () => {
  const rows = file('organization', 'Verein', 'Firma');
  expect(typeRules.needsOthers(rows, mapping)).toBe(true);
  expect(typeRules.needsOthers(rows, mapping, chosen('Verein'))).toBe(true);
  expect(typeRules.needsOthers(rows, mapping, chosen('Verein', 'Firma'))).toBe(false);
});

it('needs a type of all other rows while a row has none', () => {
  expect(typeRules.needsOthers(file('Verein', ''), mapping, chosen('Verein'))).toBe(true);
  expect(typeRules.needsOthers(file('Verein'), ['name', null], chosen('Verein'))).toBe(true);
});
