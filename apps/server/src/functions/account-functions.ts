/** Functions about accounts: details, status, similar names, import, export. */
import { revokeUserSessions } from '@lanternrock/auth/users';
import { type AccountExport, accountExportSchema } from '@lanternrock/contract/account-export';
import {
  createRepeatCheck,
  importBatchLimits,
  type ImportResult,
  importRequestSchema,
  undoImportSchema,
} from '@lanternrock/contract/account-import';
import { accountIdSchema, setAccountStatusSchema } from '@lanternrock/contract/account-status';
import { similarAccountsSchema } from '@lanternrock/contract/similar-accounts';
import { sql } from '@lanternrock/postgres';
import type * as z from 'zod/mini';
import { accountCsv } from '../accounts/account-csv.ts';
import { findMembersWithoutAccount, setAccountStatus } from '../accounts/account-status.ts';
import { importAccounts } from '../accounts/import-accounts.ts';
import { previewImport, previewRows } from '../accounts/import-preview.ts';
import { readRecentImports, undoImport } from '../accounts/imports.ts';
import { findSimilarAccounts } from '../accounts/similar-accounts.ts';
import { recordAccountExport, recordDeletions } from '../audit-log.ts';
import { accountNotFoundError } from '../errors.ts';
import { defineDownload } from './define-download.ts';
import { defineFunction, type FunctionCall } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

/** A function, because row level security lets users read their own profile only. */
export const accountDetails = defineFunction({
  name: 'account-details',
  input: accountIdSchema,
  work: async ({ input, transaction }) => {
    const [row] = await transaction((tx) =>
      tx.query<{
        saved_by: string | null;
        saved_at: Date;
        reason: string | null;
        suspended_at: Date;
        suspended_by: string | null;
      }>(
        sql`select private.display_name(p.full_name, u.email) as saved_by, a.updated_at as saved_at,
              s.reason, s.suspended_at, private.display_name(sp.full_name, su.email) as suspended_by
            from public.accounts a
            left join auth.users u on u.id = a.updated_by left join public.profiles p on p.id = a.updated_by
            left join private.account_suspensions s on s.id = a.id
            left join auth.users su on su.id = s.suspended_by left join public.profiles sp on sp.id = s.suspended_by
            where a.id = ${input.account_id}`,
      ),
    );
    if (!row) throw accountNotFoundError();
    const { saved_by, saved_at, reason, suspended_at, suspended_by } = row;
    return {
      saved_by,
      saved_at: saved_at.toISOString(),
      suspension: reason === null ? null : { reason, suspended_at: suspended_at.toISOString(), suspended_by },
    };
  },
});

export const setAccountStatusFunction = defineFunction({
  name: 'set-account-status',
  limit: functionLimits.accounts,
  input: setAccountStatusSchema,
  work: async ({ input, principal, transaction }) =>
    transaction(async (tx) => {
      const { account_id, status, reason, updated_at, previous_status, end_sessions } = input;
      const changed = await setAccountStatus(tx, {
        accountId: account_id,
        status,
        reason,
        updatedAt: updated_at,
        previousStatus: previous_status,
        actorId: principal.userId,
      });
      const endsSessions = end_sessions === true && status !== 'active';
      const signedOut = endsSessions ? await findMembersWithoutAccount(tx, account_id) : [];
      for (const userId of signedOut)
        await recordDeletions(tx, 'auth.sessions', await revokeUserSessions(tx, userId));
      const { name: _name, ...result } = changed;
      return { success: true, ...result, signed_out: signedOut.length };
    }),
});

/** Returns accounts whose names look like the name of a new account. */
export const similarAccounts = defineFunction({
  name: 'similar-accounts',
  input: similarAccountsSchema,
  noStore: true,
  work: async ({ input, transaction }) => ({
    accounts: await transaction((tx) => findSimilarAccounts(tx, input.name)),
  }),
});

/** Creates and changes accounts, or returns what it would do. The same rows twice change nothing. */
export const importAccountsFunction = defineFunction({
  name: 'import-accounts',
  limit: functionLimits.imports,
  input: importRequestSchema,
  // The names of the columns and the quotation marks take less space than the cells.
  maxBodyBytes: 2 * importBatchLimits.bytes,
  noStore: true,
  work: async (call) => {
    const { input, principal, transaction } = call;
    if (input.dry_run) return { results: await previewBatches(call) };
    const { default_type: defaultType, import_id: importId, file_name: fileName } = input;
    const findRepeat = createRepeatCheck();
    const options = { createdBy: principal.userId, importId, fileName, defaultType, findRepeat };
    return { results: await transaction((tx) => importAccounts(tx, input.rows, options)) };
  },
});

/** Time after which a dry run starts no further transaction, in milliseconds. */
const previewTimeMs = 1500;

/** Returns the results of the rows that fit into the time; at least those of one transaction. */
async function previewBatches({
  input,
  startedAt,
  transaction,
}: FunctionCall<z.output<typeof importRequestSchema>>): Promise<readonly ImportResult[]> {
  const { rows, default_type: defaultType, compare_spelling: compareSpelling = false } = input;
  const options = { defaultType, compareSpelling, findRepeat: createRepeatCheck() };
  const size = compareSpelling ? previewRows.withSpelling : previewRows.withoutSpelling;
  const results: ImportResult[] = [];
  do {
    const batch = rows.slice(results.length, results.length + size);
    results.push(...(await transaction((tx) => previewImport(tx, batch, options))));
  } while (results.length < rows.length && performance.now() - startedAt < previewTimeMs);
  return results;
}

export const recentImports = defineFunction({
  name: 'recent-imports',
  input: null,
  noStore: true,
  work: async ({ principal, transaction }) => transaction((tx) => readRecentImports(tx, principal.userId)),
});

/** Deletes the accounts that an import of the user has created. A repeated call deletes nothing more. */
export const undoImportFunction = defineFunction({
  name: 'undo-import',
  limit: functionLimits.imports,
  input: undoImportSchema,
  noStore: true,
  work: async ({ input: { import_id: importId, after = null }, principal, transaction }) =>
    transaction((tx) => undoImport(tx, { importId, scope: { createdBy: principal.userId }, after })),
});

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
