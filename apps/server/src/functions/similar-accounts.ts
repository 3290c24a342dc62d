import { similarAccountsSchema } from '@lanternrock/contract/similar-accounts';
import { findSimilarAccounts } from '../accounts/similar-accounts.ts';
import { defineFunction } from './define-function.ts';

/** Returns accounts whose names look like the name of a new account. */
export const similarAccounts = defineFunction({
  name: 'similar-accounts',
  input: similarAccountsSchema,
  noStore: true,
  work: async ({ input, transaction }) => ({
    accounts: await transaction((tx) => findSimilarAccounts(tx, input.name)),
  }),
});
