/**
 * The queries of the account list, for the screen, the command palette and the print view. A
 * list of up to `maxCompleteRows` accounts is loaded completely, so that filters send no request.
 */
import { type AccountSort, accountStatuses } from '@lanternrock/contract/account-view';
import type { AccountRow } from '@lanternrock/contract/rows';
import { quoteFilterValue } from '@lanternrock/contract/search-filters';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { data } from '../../api/data.ts';
import { shapeError } from '../../api/errors.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { type AccountFilter, searchFilters } from './account-filter.ts';
import { accountsPageSize } from './accounts-screen-reads.ts';

/** Query key prefix of all account queries. */
export const accountsKey = ['accounts'] as const;

/** Maximum number of accounts of a list that is loaded completely. */
const maxCompleteRows = 1000;

const noFilter: AccountFilter = { text: '', type: undefined };

/** Returns the rows. @throws ApiError if a row of a successful response is not an account */
export const requireAccountRows = (rows: readonly AccountRow[]): readonly AccountRow[] => {
  const isValid = rows.every((row) => typeof row?.id === 'string' && typeof row.name === 'string');
  if (isValid) return rows;
  throw shapeError();
};

export interface AccountsPage {
  readonly rows: readonly AccountRow[];
  /** Number of matching accounts; null if the service sends no total and more pages may follow. */
  readonly total: number | null;
}

/** The columns that the list can be sorted by. Column `name_key` is not part of `*`. */
const sortColumns: Readonly<Record<AccountSort, string>> = {
  created: 'created_at',
  name: 'name_key',
  type: 'account_type',
  status: 'status',
  updated: 'updated_at',
};

const toOrder = (filter: AccountFilter): readonly [column: string, ascending: boolean] => {
  const [sort, direction] = (filter.sort ?? 'created.desc').split('.') as [AccountSort, string];
  // Another service sorts names by its own rule.
  const column = sort === 'name' && !hasFeature('extensions') ? sort : sortColumns[sort];
  return [column, direction === 'asc'];
};

/** Returns the request for the first rows, in an order that is stable also for equal values. */
const requestRows = (filter: AccountFilter, limit: number, count?: 'exact') => {
  const [column, ascending] = toOrder(filter);
  const request = data
    .from('accounts')
    .select(column === 'name_key' ? ('*,name_key' as '*') : '*', count && { count })
    .order(column, { ascending })
    .order('id', { ascending })
    .limit(limit);
  if (filter.type !== undefined) request.eq('account_type', filter.type);
  // PostgREST combines several `or` parameters with AND.
  for (const words of searchFilters(filter)) request.or(words);
  if (filter.status === 'other') request.not('status', 'in', `(${accountStatuses.join()})`);
  else if (filter.status !== undefined) request.eq('status', filter.status);
  return request;
};

const readPage = async (
  request: ReturnType<typeof requestRows>,
  limit: number,
  signal: AbortSignal,
): Promise<AccountsPage> => {
  const { data: rows, count } = await request.abortSignal(signal).throwOnError();
  // Without a total, only a page with exactly `limit` rows may have a next page: a shorter page is the last
  // one, and a service that returns more rows than the limit returns all rows.
  const total = Number.isInteger(count) ? count : rows.length === limit ? null : rows.length;
  return { rows: requireAccountRows(rows), total: total === null ? null : Math.max(total, rows.length) };
};

const readPageAt = (filter: AccountFilter, offset: number, limit: number, signal: AbortSignal) =>
  readPage(requestRows(filter, limit).range(offset, offset + limit - 1), limit, signal);

interface PreviousPage {
  readonly first: AccountRow | undefined;
  /** The last row. */
  readonly after: AccountRow;
}

/**
 * Reads the page after a known row, at a constant cost; an offset gets slower with its size.
 *
 * If all rows of the page before have the same value, many rows can have it, and the index scan of the combined
 * condition would start at the first of them. The page is then read by the value instead.
 */
const readPageAfter = async (
  filter: AccountFilter,
  size: number,
  { first, after }: PreviousPage,
  signal: AbortSignal,
): Promise<AccountsPage> => {
  const [column, ascending] = toOrder(filter);
  const next = ascending ? 'gt' : 'lt';
  const value = after[column as 'name'];
  const id = after.id;
  if (first?.[column as 'name'] !== value) {
    const quoted = quoteFilterValue(value);
    const request = requestRows(filter, size)
      // Implied by the condition below, but only this form lets PostgreSQL start the index scan at the right position.
      .filter(column, `${next}e`, value)
      .or(`${column}.${next}.${quoted},and(${column}.eq.${quoted},id.${next}.${id})`);
    return readPage(request, size, signal);
  }
  const same = await readPage(
    requestRows(filter, size).eq(column, value).filter('id', next, id),
    size,
    signal,
  );
  const missing = size - same.rows.length;
  if (missing <= 0) return same;
  const other = await readPage(requestRows(filter, missing).filter(column, next, value), missing, signal);
  return { ...other, rows: [...same.rows, ...other.rows] };
};

/** Reads the first page of a filter, with the exact total. */
export const firstPageQuery = (filter: AccountFilter = noFilter) =>
  queryOptions({
    queryKey: [...accountsKey, 'page', filter, 0],
    queryFn: ({ signal }) =>
      readPage(requestRows(filter, accountsPageSize, 'exact'), accountsPageSize, signal),
  });

/**
 * Reads a later page. The page size is the size of the first page, because a service may return fewer rows
 * than requested. The key contains the total and the first row of the first page, because a created or
 * deleted row moves all rows after it to other pages.
 *
 * @param index at least 1
 */
export const laterPageQuery = (filter: AccountFilter, index: number, first: AccountsPage) => {
  const size = first.rows.length;
  const keyOf = (page: number) =>
    [...accountsKey, 'page', filter, page, `${first.total} ${size} ${first.rows[0]?.id}`] as const;
  return queryOptions({
    queryKey: keyOf(index),
    queryFn: async ({ signal, client }) => {
      const previous = index === 1 ? first : client.getQueryData<AccountsPage>(keyOf(index - 1));
      const after = previous?.rows.at(-1);
      return after === undefined
        ? readPageAt(filter, index * size, size, signal)
        : readPageAfter(filter, size, { first: previous?.rows[0], after }, signal);
    },
  });
};

/**
 * Returns true if all rows after the first page are to be read: there are few, or the service sends no total.
 */
export const shouldLoadAllAccounts = (first: AccountsPage | undefined): boolean =>
  first !== undefined &&
  (first.total === null || (first.total <= maxCompleteRows && first.rows.length < first.total));

/** Reads all accounts after the first page. Enable only if `shouldLoadAllAccounts`. */
export const allAccountsQuery = (sort?: string) => {
  const filter = { ...noFilter, sort };
  return queryOptions({
    queryKey: [...accountsKey, 'all', sort],
    queryFn: async ({ signal, client }) => {
      const first = client.getQueryData<AccountsPage>(firstPageQuery(filter).queryKey);
      const byId = new Map(first?.rows.map((row) => [row.id, row]));
      const limit = first?.total === null ? accountsPageSize : maxCompleteRows;
      for (let ended = first === undefined || first.rows.length === 0; !ended;) {
        // By offset, which every service supports. The number of rows is small, or the service sends no totals.
        const previousSize = byId.size;
        const { rows } = await readPageAt(filter, previousSize, limit, signal);
        for (const row of rows) byId.set(row.id, row);
        const isLast = first?.total === null ? rows.length < limit : byId.size >= (first?.total ?? 0);
        ended = isLast || byId.size === previousSize;
      }
      return [...byId.values()];
    },
  });
};

/**
 * Returns every account, or undefined if rows are missing.
 *
 * @param earlier all accounts as of an earlier time; rows up to the last row of `first` are ignored
 */
export const combineAccounts = (
  first: AccountsPage | undefined,
  earlier: readonly AccountRow[] | undefined,
): readonly AccountRow[] | undefined => {
  if (first === undefined || first.rows.length === first.total) return first?.rows;
  const last = first.rows.at(-1)?.id;
  const end = earlier?.findIndex((row) => row.id === last) ?? -1;
  if (earlier === undefined || end === -1) return undefined;
  const all = [...first.rows, ...earlier.slice(end + 1)];
  return first.total === null || first.total === all.length ? all : undefined;
};

/** Returns the accounts of all cached pages, newest first. */
export const cachedAccounts = (client: QueryClient): readonly AccountRow[] => {
  const pages = client.getQueriesData<AccountsPage>({ queryKey: [...accountsKey, 'page'] });
  const rows = pages.flatMap(([, page]) => page?.rows ?? []);
  const position = (row: AccountRow): string => `${row.created_at} ${row.id}`;
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((a, b) =>
    position(a) < position(b) ? 1 : -1,
  );
};
