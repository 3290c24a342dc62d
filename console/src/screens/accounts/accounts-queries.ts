/** What the accounts screen reads and writes. */
import type { AccountType } from '@lanternrock/contract/account-types';
import type { NewAccount } from '@lanternrock/contract/accounts';
import type { AccountRow } from '@lanternrock/contract/rows';
import { slugFromName } from '@lanternrock/contract/slug';
import { queryOptions } from '@tanstack/react-query';
import { accountsKey, checkedAccounts, countedAccounts } from '../../accounts-list.ts';
import { currentSession } from '../../backend-auth.ts';
import { backend, unwrapCounted, unwrapMaybe, unwrapRows } from '../../backend.ts';
import { textCondition } from '../../search-condition.ts';
import type { AccountFilter } from './account-filter.ts';

/** Rows of one window of a list too long for the browser. */
export const windowSize = 200;

const filteredAccounts = (filter: AccountFilter, withCount: boolean) => {
  const call = backend.from('accounts').select('*', withCount ? { count: 'exact' } : {});
  if (filter.type !== undefined) call.eq('account_type', filter.type);
  if (filter.text !== '') call.or(textCondition(['name', 'slug'], filter.text));
  return call;
};

/**
 * Rows `index * windowSize` and following of the accounts that pass, newest first. With the row
 * before the window the request starts behind it (same cost at any depth); without, it counts rows.
 * The first window carries the exact total of the filter.
 */
export const windowQuery = (filter: AccountFilter, index: number, before: AccountRow | undefined) =>
  queryOptions({
    queryKey: [...accountsKey, 'window', filter, index, before?.id ?? null],
    queryFn: async ({ signal }) => {
      const call = filteredAccounts(filter, index === 0)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .abortSignal(signal);
      if (before === undefined) call.range(index * windowSize, (index + 1) * windowSize - 1);
      else {
        const at = `"${before.created_at}"`;
        // Says nothing more than the rest, but it alone leads the index to the right place.
        call.lte('created_at', before.created_at);
        call.or(`created_at.lt.${at},and(created_at.eq.${at},id.lt.${before.id})`).limit(windowSize);
      }
      return countedAccounts(await unwrapCounted(call));
    },
  });

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One account, for a link to its panel; null when it does not exist or may not be seen. */
export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountsKey, 'one', id],
    queryFn: async ({ signal }) =>
      // The service would answer a mistyped id with a type error.
      uuid.test(id)
        ? await unwrapMaybe(
            backend.from('accounts').select('*').eq('id', id).abortSignal(signal).maybeSingle(),
          )
        : null,
  });

/** Accounts that share a slug, for the hint in the dialog when not all accounts are at hand. */
export const slugQuery = (slug: string) =>
  queryOptions({
    retry: false,
    queryKey: [...accountsKey, 'slug', slug],
    queryFn: async ({ signal }) =>
      checkedAccounts(
        await unwrapRows(backend.from('accounts').select('*').eq('slug', slug).limit(3).abortSignal(signal)),
      ),
  });

/** Thrown when the session was lost while the dialog was open. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}

/**
 * Stores a new account, exactly the nine fields of specification section 7.
 * @param idempotencyKey sent with every try of the same input, so that a repeated one stores nothing twice.
 * @throws SignedOutError when nobody is signed in; BackendError for refusals and failures.
 */
export const createAccount = async (
  account: NewAccount,
  idempotencyKey: string | undefined,
): Promise<void> => {
  const session = await currentSession();
  if (session === null) throw new SignedOutError();
  const call = backend.from('accounts').insert({
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
  if (idempotencyKey !== undefined) call.setHeader('Idempotency-Key', idempotencyKey);
  await unwrapMaybe(call);
};
