/** Reads a list of accounts with the options of `accounts import`. */
import { importFileLimits, toImportRow, type ImportRow } from '@lanternrock/contract/account-import';
import {
  findColumnProblem,
  importColumnNames,
  importColumnRules,
  importColumns,
  type ImportColumn,
} from '@lanternrock/contract/import-columns';
import { accountTypes, type AccountType } from '@lanternrock/contract/account-types';
import { foldWord, listTypeWords, type TypeChoices } from '@lanternrock/contract/import-types';
import type { BrokenRow, ReadingChoice } from '@lanternrock/contract/list-file';
import { toTerminalText } from '../log.ts';
import type { CommandFiles } from './command-files.ts';
import {
  type ChosenColumns,
  describeUnused,
  type ListOptionValues,
  mapColumns,
  parseColumnChoices,
  parseReadingChoice,
  splitPair,
} from './list-options.ts';
import { readListFile } from './read-list-file.ts';
import { UsageError } from './usage-error.ts';

export interface AccountListOptions {
  readonly reading: ReadingChoice;
  readonly columns: ChosenColumns<ImportColumn>;
  readonly types: TypeChoices;
  /** The type of new accounts whose row has none. */
  readonly defaultType: AccountType | undefined;
}

/** Names of the fields for `--column`, as in an export; `type` is the short form. */
const fieldNames: Readonly<Record<string, ImportColumn>> = {
  ...Object.fromEntries(importColumns.map((column) => [column, column])),
  type: 'account_type',
};

/**
 * @param values options of lists, `--type TYPE` and `--map-type WORD=TYPE`
 * @throws UsageError
 */
export function parseAccountListOptions(
  values: ListOptionValues & {
    readonly type?: string | undefined;
    readonly 'map-type'?: readonly string[] | undefined;
  },
): AccountListOptions {
  const { type, 'map-type': words = [], column = [] } = values;
  const defaultType = type === undefined ? undefined : requireType('--type', type);
  return {
    reading: parseReadingChoice(values),
    columns: parseColumnChoices(column, fieldNames),
    types: {
      words: new Map(
        words.map((text) => {
          const [word, mapped] = splitPair(text);
          if (mapped === undefined) throw new UsageError('--map-type must be WORD=TYPE.');
          return [foldWord(word), requireType('--map-type', mapped)];
        }),
      ),
      others: defaultType ?? null,
    },
    defaultType,
  };
}

function requireType(option: string, text: string): AccountType {
  const type = accountTypes.find((each) => each === text);
  if (type) return type;
  throw new UsageError(`${option}: "${text}" is no type. The types are ${accountTypes.join(' and ')}.`);
}

interface AccountList {
  /** Lines to print: what the command does not use. */
  readonly notes: readonly string[];
  readonly rows: readonly (ImportRow | BrokenRow)[];
}

/** Words that a note lists. */
const maxWords = 10;

/** @throws UsageError with one sentence that names the file */
export async function readAccountList(
  files: CommandFiles,
  file: string,
  { reading, columns, types }: AccountListOptions,
): Promise<AccountList> {
  const list = await readListFile(files, file, {
    limits: importFileLimits,
    columnNames: importColumnNames,
    choice: reading,
  });
  const mapping = mapColumns(list, {
    names: importColumnNames,
    accepts: importColumnRules,
    chosen: columns,
  });
  const advice = `Choose one with --column name=${toTerminalText(list.header[0] ?? '')}.`;
  const problem = findColumnProblem({ mapping, file: list, advice });
  if (problem !== null) throw new UsageError(problem);
  const typeColumn = mapping.indexOf('account_type');
  const words = typeColumn < 0 ? [] : listTypeWords(list.records, typeColumn);
  const unknown = types.others === null ? words.filter(({ word }) => !types.words.has(foldWord(word))) : [];
  const listed = unknown.slice(0, maxWords).map(({ word, rows }) => `"${toTerminalText(word)}" (${rows})`);
  const typeNote =
    unknown.length === 0
      ? []
      : [`Unknown types: ${listed.join(', ')}. Use --map-type WORD=TYPE, or --type TYPE for all others.`];
  return {
    notes: [describeUnused(list, mapping) ?? [], typeNote].flat(),
    rows: list.records.map((record, index) => toImportRow(record, mapping, list.lines[index] ?? 0, types)),
  };
}
