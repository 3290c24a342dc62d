/** Functions about the members of an account: list, add, suspend, end date, remove, undo. */
import {
  accountMemberSchema,
  accountMembersSchema,
  addAccountMemberSchema,
  setAccountMemberSchema,
  undoAccountMemberSchema,
} from '@lanternrock/contract/account-members';
import { addMember, readMembers, removeMember, setMember } from '../accounts/account-members.ts';
import { parseMembershipEnd } from '../accounts/membership-ends.ts';
import { undoMemberChange } from '../accounts/undo-member-change.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

export const accountMembers = defineFunction({
  name: 'account-members',
  input: accountMembersSchema,
  noStore: true,
  work: async ({ input, transaction }) =>
    transaction((tx) => readMembers(tx, input.account_id, input.after ?? null)),
});

export const addAccountMember = defineFunction({
  name: 'add-account-member',
  limit: functionLimits.accounts,
  input: addAccountMemberSchema,
  noStore: true,
  work: async ({ input, transaction, now }) =>
    transaction(async (tx) => {
      const at = await now(tx);
      const endsAt = parseMembershipEnd(input.ends_at, at) ?? null;
      return addMember(tx, { accountId: input.account_id, email: input.email, endsAt, now: at });
    }),
});

export const setAccountMember = defineFunction({
  name: 'set-account-member',
  limit: functionLimits.accounts,
  input: setAccountMemberSchema,
  noStore: true,
  work: async ({
    input: { account_id: accountId, user_id: userId, status, ends_at: end },
    transaction,
    now,
  }) =>
    transaction(async (tx) => {
      const endsAt = parseMembershipEnd(end, await now(tx));
      return setMember(tx, { accountId, userId, status, endsAt });
    }),
});

export const removeAccountMember = defineFunction({
  name: 'remove-account-member',
  limit: functionLimits.accounts,
  input: accountMemberSchema,
  noStore: true,
  work: async ({ input: { account_id: accountId, user_id: userId }, transaction }) =>
    transaction((tx) => removeMember(tx, { accountId, userId })),
});

export const undoAccountMember = defineFunction({
  name: 'undo-account-member',
  limit: functionLimits.accounts,
  input: undoAccountMemberSchema,
  noStore: true,
  work: async ({ input, transaction }) =>
    transaction((tx) => undoMemberChange(tx, { accountId: input.account_id, change: input.change })),
});
