/** Functions about the members of an account: list, add, suspend, remove, undo. */
import {
  accountMemberSchema,
  accountMembersSchema,
  addAccountMemberSchema,
  setAccountMemberSchema,
  undoAccountMemberSchema,
} from '@lanternrock/contract/account-members';
import { addMember, readMembers, removeMember, setMemberStatus } from '../accounts/account-members.ts';
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
    transaction(async (tx) =>
      addMember(tx, { accountId: input.account_id, email: input.email, now: await now(tx) }),
    ),
});

export const setAccountMember = defineFunction({
  name: 'set-account-member',
  limit: functionLimits.accounts,
  input: setAccountMemberSchema,
  noStore: true,
  work: async ({ input: { account_id: accountId, user_id: userId, status }, transaction }) =>
    transaction((tx) => setMemberStatus(tx, { accountId, userId, status })),
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
