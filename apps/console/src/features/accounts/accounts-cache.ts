/** Reads and changes the cached rows of the account list, for the command palette, the panel and its dialogs. */
import type { AccountRow } from '@lanternrock/contract/rows';
import type { QueryClient } from '@tanstack/react-query';
import {
  accountsKey,
  type AccountsPage,
  allAccountsQuery,
  combineAccounts,
  firstPageQuery,
} from './accounts-list.ts';

/** Returns every account from the cache, or undefined if rows are missing. */
export const getAllCachedAccounts = (client: QueryClient): readonly AccountRow[] | undefined =>
  combineAccounts(
    client.getQueryData(firstPageQuery().queryKey),
    client.getQueryData(allAccountsQuery().queryKey),
  );

/**
 * Changes the cached rows of one account, in the list and in the panel.
 *
 * @param change returns the row to show in place of a cached one
 */
export const updateCachedAccount = (
  client: QueryClient,
  id: string,
  change: (row: AccountRow) => AccountRow,
): void => {
  const changeRow = (row: AccountRow): AccountRow => (row.id === id ? change(row) : row);
  client.setQueriesData<AccountsPage | readonly AccountRow[] | AccountRow | null>(
    { queryKey: accountsKey },
    (cached) => {
      if (cached === undefined || cached === null) return cached;
      if (Array.isArray(cached)) return cached.map(changeRow);
      return 'rows' in cached
        ? { ...cached, rows: cached.rows.map(changeRow) }
        : changeRow(cached as AccountRow);
    },
  );
};
