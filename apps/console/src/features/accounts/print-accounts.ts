/** Loads the rows of the list that a print contains. Not part of the initial bundle. */
import type { QueryClient } from '@tanstack/react-query';
import { maxPrintedRows } from '../../ui/record-table.tsx';
import type { AccountFilter } from './account-filter.ts';
import { firstPageQuery, laterPageQuery } from './accounts-list.ts';

/** Loads the pages into the cache, from which the list reads its rows. @throws ApiError */
export const loadPrintedRows = async (client: QueryClient, filter: AccountFilter): Promise<void> => {
  const first = await client.query({ ...firstPageQuery(filter), staleTime: 'static' });
  const last = Math.min(first.total ?? 0, maxPrintedRows);
  for (let index = 1; index * first.rows.length < last && first.rows.length > 0; index += 1)
    await client.query({ ...laterPageQuery(filter, index, first), staleTime: 'static' });
};
