/** Queries and requests of the account panel and dialog. Not part of the initial bundle. */
import type { AccountType } from '@lanternrock/contract/account-types';
import type { NewAccount } from '@lanternrock/contract/accounts';
import { slugFromName } from '@lanternrock/contract/slug';
import { isUuid } from '@lanternrock/contract/uuid';
import { queryOptions } from '@tanstack/react-query';
import { accountsKey, requireAccountRows } from './accounts-list.ts';
import { getCurrentSession } from '../../api/current-session.ts';
import { ApiError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { data } from '../../api/data.ts';

/** Reads one account, for a link to its panel; null if it does not exist or the user has no access. */
export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountsKey, 'one', id],
    queryFn: async ({ signal }) => {
      // The Data API responds to an invalid UUID with a type error.
      if (!isUuid(id)) return null;
      const call = data.from('accounts').select('*').eq('id', id).abortSignal(signal);
      return (await call.maybeSingle().throwOnError()).data;
    },
  });

/** Reads accounts with the same slug, for the dialog if the list has not loaded all accounts. */
export const slugQuery = (slug: string) =>
  queryOptions({
    retry: false,
    queryKey: [...accountsKey, 'slug', slug],
    queryFn: async ({ signal }) => {
      const call = data.from('accounts').select('*').eq('slug', slug).limit(3);
      return requireAccountRows((await call.abortSignal(signal).throwOnError()).data);
    },
  });

/** Reads accounts with similar names, for the dialog. Errors are not shown. */
export const similarAccountsQuery = (name: string) =>
  queryOptions({
    retry: false,
    queryKey: [...accountsKey, 'similar', name],
    queryFn: async ({ signal }) => (await callFunction('similar-accounts', { name }, { signal })).accounts,
  });

/** The session ended while the dialog was open. */
export const signedOutCode = 'signed_out';

/**
 * Creates an account.
 *
 * @throws ApiError `signedOutCode` if no user is signed in
 */
export const createAccount = async (account: NewAccount, signal: AbortSignal): Promise<void> => {
  const session = await getCurrentSession();
  if (session === null) throw new ApiError({ kind: 'auth', code: signedOutCode, message: '' });
  const call = data.from('accounts').insert({
    name: account.name,
    slug: slugFromName(account.name),
    account_type: account.account_type satisfies AccountType,
    address: account.address,
    city: account.city,
    state: account.state,
    zip_code: account.zip_code,
    status: 'active',
    created_by: session.user.id,
  });
  await call.abortSignal(signal).throwOnError();
};
