/** Changes the cached rows of one account, in the list and in the panel. */
import type { AccountRow } from '@lanternrock/contract/rows';
import type { QueryClient } from '@tanstack/react-query';
import { accountsKey, type AccountsPage } from './accounts-list.ts';

/** @param change returns the row to show in place of a cached one */
export const updateCachedAccount = (
  client: QueryClient,
  id: string,
  change: (row: AccountRow) => AccountRow,
): void => {
  const changeRow = (row: AccountRow): AccountRow => (row.id === id ? change(row) : row);
  client.setQueriesData<AccountsPage | readonly AccountRow[] | AccountRow | null>(
    { queryKey: accountsKey },
    (data) => {
      if (data === undefined || data === null) return data;
      if (Array.isArray(data)) return data.map(changeRow);
      return 'rows' in data ? { ...data, rows: data.rows.map(changeRow) } : changeRow(data as AccountRow);
    },
  );
};
