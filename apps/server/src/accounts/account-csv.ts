/** Writes the filtered account list as CSV, for the console and the command line. */
import type { AccountExport } from '@lanternrock/contract/account-export';
import { formatCsvHeader, csvLines } from '../csv.ts';
import { type ExportedAccount, readAccountBatches, type RunTransaction } from './account-batches.ts';

const columns = [
  'id',
  'name',
  'slug',
  'account_type',
  'address',
  'city',
  'state',
  'zip_code',
  'status',
  'active_members',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ExportedAccount)[];

/**
 * Yields the file. The first chunk is the header with the first rows, so that it also shows if the database responds. Other
 * chunks can be empty.
 */
export async function* accountCsv(
  list: AccountExport,
  run: RunTransaction,
): AsyncGenerator<string, void, undefined> {
  let header = formatCsvHeader(columns);
  for await (const batch of readAccountBatches(list, run)) {
    yield header + csvLines(batch.map((row) => columns.map((column) => row[column])));
    header = '';
  }
  if (header !== '') yield header;
}
