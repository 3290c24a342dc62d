/** What panel and dialog of the accounts screen read and write; with the list they are not loaded. */
import type { AccountType } from '@lanternrock/contract/account-types';
import type { NewAccount } from '@lanternrock/contract/accounts';
import { slugFromName } from '@lanternrock/contract/slug';
import { queryOptions } from '@tanstack/react-query';
import { accountsKey, requireAccountRows } from './accounts-list.ts';
import { getCurrentSession } from '../../api/auth.ts';
import { backend } from '../../api/rest-client.ts';
import { unwrapMaybe, unwrapRows } from '../../api/data.ts';

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
      requireAccountRows(
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
  const session = await getCurrentSession();
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
