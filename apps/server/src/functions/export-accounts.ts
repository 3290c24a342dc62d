import { accountExportSchema, type AccountExport } from '@lanternrock/contract/account-export';
import { accountCsv } from '../accounts/account-csv.ts';
import { recordAccountExport } from '../audit-log.ts';
import { defineDownload } from './define-download.ts';
import { functionLimits } from './function-limits.ts';
import type { FunctionCall } from './define-function.ts';

/** Sends the accounts of a filter, in an order, as CSV. */
export const exportAccounts = defineDownload({
  name: 'export-accounts',
  limit: functionLimits.exports,
  input: accountExportSchema,
  file: (call) => ({ name: 'accounts.csv', type: 'text/csv', chunks: exportChunks(call) }),
});

/** Each export is an entry of the activity. */
async function* exportChunks({
  input,
  transaction,
}: FunctionCall<AccountExport>): AsyncGenerator<string, void, undefined> {
  await transaction(recordAccountExport);
  yield* accountCsv(input, transaction);
}
