/** Reads a list of invitees with the options of `invite --csv`. */
import type { FileLimits } from '@lanternrock/contract/csv-file';
import type { InviteeRow } from '@lanternrock/contract/invitation-list';
import {
  findInviteeColumnProblem,
  type InviteeColumn,
  inviteeColumnNames,
  toInviteeRow,
} from '@lanternrock/contract/invitee-columns';
import type { ReadingChoice } from '@lanternrock/contract/list-file';
import { toTerminalText } from '../log.ts';
import type { CommandFiles } from './command-files.ts';
import {
  type ChosenColumns,
  describeUnused,
  type ListOptionValues,
  mapColumns,
  parseColumnChoices,
  parseReadingChoice,
} from './list-options.ts';
import { readListFile } from './read-list-file.ts';
import { UsageError } from './usage-error.ts';

const limits: FileLimits = { bytes: 32 * 1024 * 1024, rows: 100_000 };

/** Names of the fields for `--column`. */
const fieldNames: Readonly<Record<string, InviteeColumn>> = {
  email: 'email',
  name: 'fullName',
  first_name: 'firstName',
  last_name: 'lastName',
  note: 'note',
  expires: 'expires',
};

export interface InviteeListOptions {
  readonly reading: ReadingChoice;
  readonly columns: ChosenColumns<InviteeColumn>;
}

/** @throws UsageError */
export const parseInviteeListOptions = (values: ListOptionValues): InviteeListOptions => ({
  reading: parseReadingChoice(values),
  columns: parseColumnChoices(values.column ?? [], fieldNames),
});

interface InviteeList {
  /** The line that names the columns without a use, or null. */
  readonly note: string | null;
  readonly rows: readonly InviteeRow[];
}

/** @throws UsageError with one line that names the file */
export async function readInviteeList(
  files: CommandFiles,
  file: string,
  { reading, columns }: InviteeListOptions,
): Promise<InviteeList> {
  const list = await readListFile(files, file, { limits, columnNames: inviteeColumnNames, choice: reading });
  const mapping = mapColumns(list, { names: inviteeColumnNames, chosen: columns });
  const problem = findInviteeColumnProblem(mapping);
  if (problem !== null) {
    const found = list.header.map((cell) => `"${toTerminalText(cell)}"`).join(', ');
    throw new UsageError(`${list.name}: ${problem} Its columns are ${found}. Use --column FIELD=HEADER.`);
  }
  return {
    note: describeUnused(list, mapping),
    rows: list.records.map((record, index) => toInviteeRow(record, mapping, list.lines[index] ?? 0)),
  };
}
