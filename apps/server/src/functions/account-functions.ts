/** Functions about accounts: who changed one, and its status. */
import { accountIdSchema, setAccountStatusSchema } from '@lanternrock/contract/account-status';
import { revokeUserSessions } from '@lanternrock/auth/users';
import { sql } from '@lanternrock/postgres';
import { findMembersWithoutAccount, setAccountStatus } from '../accounts/account-status.ts';
import { DomainError } from '../errors.ts';
import { defineFunction } from './define-function.ts';
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
    if (!row) throw new DomainError('account_not_found', 'This account does not exist.');
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
      for (const userId of signedOut) await revokeUserSessions(tx, userId);
      const { name: _name, ...result } = changed;
      return { success: true, ...result, signed_out: signedOut.length };
    }),
});
