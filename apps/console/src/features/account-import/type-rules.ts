/** The words of a file for the type of an account, and the types that the user chooses for them. */
import type { ImportColumn } from '@lanternrock/contract/import-columns';
import { foldWord, isKnownType, listTypeWords } from '@lanternrock/contract/import-types';
import type { ListFile } from '@lanternrock/contract/list-file';
import type { WordRules } from '../../shared/csv-run/csv-list.ts';

type Mapping = Parameters<WordRules<ImportColumn>['listWords']>[1];

const listWords = (file: ListFile, mapping: Mapping) => {
  const column = mapping.indexOf('account_type');
  if (column < 0) return [];
  return listTypeWords(file.records, column)
    .filter(({ word }) => word !== '')
    .map(({ word, rows }) => ({ key: foldWord(word), word, rows }));
};

const noWords: ReadonlyMap<string, unknown> = new Map();

/** Returns true if a row has no type, or a word that is neither known nor chosen. */
const needsOthers = ({ records }: ListFile, mapping: Mapping, chosen = noWords): boolean => {
  const column = mapping.indexOf('account_type');
  const isOpen = (cell: string): boolean => !isKnownType(cell) && !chosen.has(foldWord(cell));
  return column < 0 || records.some((record) => isOpen(record[column] ?? ''));
};

export const typeRules: WordRules<ImportColumn> = {
  options: [
    { value: 'enterprise', label: 'Enterprise' },
    { value: 'organization', label: 'Organization' },
    { value: 'none', label: 'Do not import these rows' },
  ],
  listWords,
  needsOthers,
  findProblem: (file, mapping, { words, others }) => {
    // A row of an account with an ID or a slug needs no type.
    if (others !== null || mapping.includes('id') || mapping.includes('slug')) return null;
    if (!needsOthers(file, mapping)) return null;
    const column = mapping.indexOf('account_type');
    if (column < 0) return 'Choose the type of new accounts.';
    const isOpen = (cell: string): boolean => !isKnownType(cell) && !words.has(foldWord(cell));
    const open = file.records.find((record) => isOpen(record[column] ?? ''));
    if (open === undefined) return null;
    const word = (open[column] ?? '').trim();
    return word === ''
      ? 'Choose the type of rows without a type.'
      : `Choose the type of "${word}", or a type for all other rows.`;
  },
  text: {
    title: 'Types',
    description:
      'Choose a type for each word of the file. Existing accounts keep their type if a row has none.',
    word: 'Type of',
    others: (hasWords) => (hasWords ? 'Type of all other rows' : 'Type of new accounts'),
    othersNotNeeded: 'Not needed: each row has a type.',
    placeholder: 'Choose a type',
    more: (total) => `${total} further words of the file are not listed.`,
  },
};
