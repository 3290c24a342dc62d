/**
 * The accounts as pages of one list, newest first: the only data path of the screen, the command palette
 * and the print view. Up to `maxKept` accounts are kept as a whole, so that filters need no request.
 */
import type { AccountRow } from '@lanternrock/contract/rows';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { BackendError, unreadableMessage } from '../../api/errors.ts';
import { readCall, unwrapCounted } from '../../api/data.ts';
import { accountsPageSize, accountsPath, newestAccountsRead, type Read } from '../../api/prefetch.ts';
import { type AccountFilter, searchColumnsFor } from './account-filter.ts';
import { textSearchFilter } from '../../api/search-filter.ts';

/** Everything about accounts; invalidating it reloads the list. */
export const accountsKey = ['accounts'] as const;

/** A list with at most this total is kept as a whole. */
const maxKept = 1000;

const noFilter: AccountFilter = { text: '', type: undefined };

/** Checks that each row can be shown. Anything else is not an account, also with a status of success. */
export const requireAccountRows = (rows: readonly AccountRow[]): readonly AccountRow[] => {
  const readable = rows.every((row) => typeof row?.id === 'string' && typeof row.name === 'string');
  if (readable) return rows;
  throw new BackendError({ kind: 'shape', message: unreadableMessage });
};

export interface AccountsPage {
  readonly rows: readonly AccountRow[];
  /** Accounts that pass the filter; null where the service sends no total and more may follow. */
  readonly total: number | null;
}

const readPage = async (read: Read, limit: number, signal: AbortSignal): Promise<AccountsPage> => {
  const { rows, count } = await unwrapCounted(readCall<AccountRow[]>(read, signal));
  // Without a total, only a page that is exactly full may have a successor: a short one is the last, and
  // a service that sends more rows than the limit does not know limits.
  const total = count ?? (rows.length === limit ? null : rows.length);
  return { rows: requireAccountRows(rows), total: total === null ? null : Math.max(total, rows.length) };
};

/** @param from the row before the page, or, where that row is not known, the number of rows before it. */
const pagePath = (filter: AccountFilter, limit: number, from: AccountRow | number): string => {
  const params = new URLSearchParams();
  if (filter.type !== undefined) params.append('account_type', `eq.${filter.type}`);
  if (filter.text !== '')
    params.append('or', `(${textSearchFilter(searchColumnsFor(filter.text), filter.text)})`);
  if (typeof from === 'number') {
    if (from > 0) params.append('offset', String(from));
  } else {
    const at = `"${from.created_at}"`;
    // Adds nothing to the condition below, but it alone leads the index to the right place.
    params.append('created_at', `lte.${from.created_at}`);
    params.append('or', `(created_at.lt.${at},and(created_at.eq.${at},id.lt.${from.id}))`);
  }
  return params.size === 0 ? accountsPath(limit) : `${accountsPath(limit)}&${params.toString()}`;
};

/** The first page of a filter, with the exact total. */
export const firstPageQuery = (filter: AccountFilter = noFilter) =>
  queryOptions({
    queryKey: [...accountsKey, 'page', filter, 0],
    queryFn: ({ signal }) => {
      const read = { ...newestAccountsRead, path: pagePath(filter, accountsPageSize, 0) };
      return readPage(read, accountsPageSize, signal);
    },
  });

/**
 * A later page. Each holds as many rows as the first one, so a service that sends fewer than asked is
 * read in its own steps. One row more or less moves all behind it, so pages belong to one first page.
 *
 * @param index at least 1.
 */
export const laterPageQuery = (filter: AccountFilter, index: number, first: AccountsPage) => {
  const size = first.rows.length;
  const keyOf = (page: number) =>
    [...accountsKey, 'page', filter, page, `${first.total} ${size} ${first.rows[0]?.id}`] as const;
  return queryOptions({
    queryKey: keyOf(index),
    queryFn: ({ signal, client }) => {
      // Behind a known row the request costs the same at any depth.
      const previous = index === 1 ? first : client.getQueryData<AccountsPage>(keyOf(index - 1));
      const before = previous?.rows.at(-1);
      const path = pagePath(filter, size, before ?? index * size);
      return readPage({ path, headers: {} }, size, signal);
    },
  });
};

/** True where the rows behind the first page are to be read at once: few, or not countable otherwise. */
export const keepsEveryAccount = (first: AccountsPage | undefined): boolean =>
  first !== undefined &&
  (first.total === null || (first.total <= maxKept && first.rows.length < first.total));

/** The rows of the first page and all behind them; only where `keepsEveryAccount`. */
export const keptAccountsQuery = queryOptions({
  queryKey: [...accountsKey, 'all'],
  queryFn: async ({ signal, client }) => {
    const first = client.getQueryData<AccountsPage>(firstPageQuery().queryKey);
    const byId = new Map(first?.rows.map((row) => [row.id, row]));
    const limit = first?.total === null ? accountsPageSize : maxKept;
    for (let ended = first === undefined || first.rows.length === 0; !ended;) {
      // By offset, which every service knows: there are few rows, or a service without totals sends them.
      const path = pagePath(noFilter, limit, byId.size);
      const known = byId.size;
      const { rows } = await readPage({ path, headers: {} }, limit, signal);
      for (const row of rows) byId.set(row.id, row);
      const isLast = first?.total === null ? rows.length < limit : byId.size >= (first?.total ?? 0);
      ended = isLast || byId.size === known;
    }
    return [...byId.values()];
  },
});

/**
 * Returns every account, or undefined where rows are missing.
 *
 * @param kept all accounts as they were at an earlier moment; those above the end of `first` are ignored.
 */
export const everyAccount = (
  first: AccountsPage | undefined,
  kept: readonly AccountRow[] | undefined,
): readonly AccountRow[] | undefined => {
  if (first === undefined || first.rows.length === first.total) return first?.rows;
  const last = first.rows.at(-1)?.id;
  const end = kept?.findIndex((row) => row.id === last) ?? -1;
  if (kept === undefined || end === -1) return undefined;
  const all = [...first.rows, ...kept.slice(end + 1)];
  return first.total === null || first.total === all.length ? all : undefined;
};

/** Every account in the cache, or undefined where rows are missing. */
export const everyCachedAccount = (client: QueryClient): readonly AccountRow[] | undefined =>
  everyAccount(
    client.getQueryData(firstPageQuery().queryKey),
    client.getQueryData(keptAccountsQuery.queryKey),
  );

/** The accounts of every page in the cache, newest first. */
export const cachedAccounts = (client: QueryClient): readonly AccountRow[] => {
  const pages = client.getQueriesData<AccountsPage>({ queryKey: [...accountsKey, 'page'] });
  const rows = pages.flatMap(([, page]) => page?.rows ?? []);
  const position = (row: AccountRow): string => `${row.created_at} ${row.id}`;
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((a, b) =>
    position(a) < position(b) ? 1 : -1,
  );
};
