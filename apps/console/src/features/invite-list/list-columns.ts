/** Limits of a list, and what each of its columns means. */
import type { FileLimits } from '@lanternrock/contract/account-file';
import type { InviteeRow } from '@lanternrock/contract/invitation-list';
import type { CsvFile } from '../../forms/read-csv.ts';
import { inviteListText } from './invite-list-text.ts';
import { listColumns, type ListColumn } from './list-row.ts';

export const listFileLimits: FileLimits = { bytes: 5 * 1024 * 1024, rows: 20_000 };

/** Null for a column that is not used. */
export type ListMapping = readonly (ListColumn | null)[];

/** Other names, without spaces and punctuation. */
const names: Readonly<Record<ListColumn, readonly string[]>> = {
  email: ['email', 'emailaddress', 'mail', 'address'],
  fullName: ['name', 'fullname', 'displayname', 'person'],
  note: ['note', 'message', 'comment'],
  expires: ['expires', 'expiry', 'expiresat', 'until'],
};

export const guessListColumns = (header: readonly string[]): ListMapping => {
  const used = new Set<ListColumn>();
  return header.map((cell) => {
    const name = cell.toLowerCase().replace(/[^a-z0-9]/g, '');
    const column = listColumns.find((each) => !used.has(each) && names[each].includes(name)) ?? null;
    if (column !== null) used.add(column);
    return column;
  });
};

const text = inviteListText.columns;

/** Returns the sentence that explains why the columns cannot be used, or null. */
export const findListProblem = (mapping: ListMapping): string | null => {
  const label = (column: ListColumn): string => text.names[column].toLowerCase();
  const repeated = listColumns.find((column) => mapping.filter((each) => each === column).length > 1);
  if (repeated !== undefined) return text.repeated(label(repeated));
  const missing = (['email', 'fullName'] as const).find((column) => !mapping.includes(column));
  return missing === undefined ? null : text.missing(label(missing));
};

export const toInvitees = ({ records, lines }: CsvFile, mapping: ListMapping): readonly InviteeRow[] =>
  records.map((record, index) => {
    const cell = (column: ListColumn): string => record[mapping.indexOf(column)] ?? '';
    return {
      line: lines[index] ?? 0,
      email: cell('email'),
      fullName: cell('fullName'),
      note: cell('note'),
      expires: cell('expires'),
    };
  });
