/** Functions about accounts: details, status, similar names, import, export. */
import { revokeUserSessions } from '@lanternrock/auth/users';
import { type AccountExport, accountExportSchema } from '@lanternrock/contract/account-export';
import {
  createRepeatCheck,
  importBatchLimits,
  importRequestSchema,
} from '@lanternrock/contract/account-import';
import { accountIdSchema, setAccountStatusSchema } from '@lanternrock/contract/account-status';
import { similarAccountsSchema } from '@lanternrock/contract/similar-accounts';
import { sql } from '@lanternrock/postgres';
import { accountCsv } from '../accounts/account-csv.ts';
import { findMembersWithoutAccount, setAccountStatus } from '../accounts/account-status.ts';
import { importAccounts } from '../accounts/import-accounts.ts';
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
