import {
  createRepeatCheck,
  importBatchLimits,
  importRequestSchema,
} from '@lanternrock/contract/account-import';
import { importAccounts } from '../accounts/import-accounts.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

/** Creates and changes accounts, or returns what it would do. The same rows twice change nothing. */
export const importAccountsFunction = defineFunction({
  name: 'import-accounts',
  limit: functionLimits.imports,
  input: importRequestSchema,
  // The names of the columns and the quotation marks take less space than the cells.
  maxBodyBytes: 2 * importBatchLimits.bytes,
  noStore: true,
  work: async ({ input, principal, transaction }) => ({
    results: await transaction((tx) =>
      importAccounts(tx, input.rows, {
        dryRun: input.dry_run,
        createdBy: principal.userId,
        findRepeat: createRepeatCheck(),
      }),
    ),
  }),
});
