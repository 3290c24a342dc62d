import type { AccountRow } from '@lanternrock/contract/rows';
import { QueryClient } from '@tanstack/react-query';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { testAccount } from './test-account.ts';
import { getAllCachedAccounts } from './accounts-cache.ts';
import {
  cachedAccounts,
  combineAccounts,
  firstPageQuery,
  shouldLoadAllAccounts,
  allAccountsQuery,
  laterPageQuery,
  type AccountsPage,
} from './accounts-list.ts';

// The API clients read these globals when they are imported.
vi.hoisted(() => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { origin: 'https://platform.test' });
  vi.stubGlobal('document', { getElementById: () => null });
  vi.stubGlobal('localStorage', { getItem: () => null });
});
// The files of one worker share the globals.
afterAll(() => vi.unstubAllGlobals());

const newYear = Date.UTC(2026, 0, 1);

/**
 * Account `n` of a list, newest first. Pairs of accounts have the same time, so that only the ID orders them.
 */
const account = (n: number): AccountRow =>
  testAccount({
    id: `00000000-0000-4000-8000-${String(99_999 - n).padStart(12, '0')}`,
    name: `Account ${n}`,
    slug: `account-${n}`,
    created_at: new Date(newYear - Math.floor(n / 2) * 60_000).toISOString(),
  });

const accounts = (count: number): readonly AccountRow[] =>
  Array.from({ length: count }, (_, n) => account(n));

/** Stubs `fetch` with a service that has the rows. With `limits: false`, it ignores the limit. */
const serve = (rows: readonly AccountRow[], { totals = true, limits = true } = {}): URLSearchParams[] => {
  const requests: URLSearchParams[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { searchParams } = new URL(url);
    requests.push(searchParams);
    const cursor = /id\.lt\.([0-9a-f-]+)/.exec(searchParams.get('or') ?? '')?.[1];
    const start =
      cursor === undefined
        ? Number(searchParams.get('offset') ?? 0)
        : rows.findIndex((row) => row.id === cursor) + 1;
    const limit = limits ? Number(searchParams.get('limit')) : rows.length;
    const page = rows.slice(start, start + limit);
    const counted = totals && new Headers(init.headers).get('Prefer') === 'count=exact';
    return Response.json(page, { headers: counted ? { 'Content-Range': `0-0/${rows.length}` } : {} });
  });
  return requests;
};

const noFilter = { text: '', type: undefined };

/** Reads all pages as the screen does. */
const readAll = async (): Promise<readonly AccountRow[] | undefined> => {
  const client = new QueryClient();
  const first = await client.query(firstPageQuery());
  if (shouldLoadAllAccounts(first)) await client.query(allAccountsQuery());
  return getAllCachedAccounts(client);
};

describe('the account pages', () => {
  it('read up to 1,000 accounts with two requests', async () => {
    const all = accounts(1000);
    const requests = serve(all);
    expect(await readAll()).toEqual(all);
    expect(requests.map((params) => params.get('limit'))).toEqual(['200', '1000']);
    expect(requests[1]?.get('offset')).toBe('200');
  });

  it('read one page if all accounts fit into it, or if there are more than 1,000', async () => {
    for (const count of [0, 199, 200, 1001]) {
      const requests = serve(accounts(count));
      expect(await readAll()).toEqual(count === 1001 ? undefined : accounts(count));
      expect(requests).toHaveLength(1);
    }
  });

  it('read pages until a short one if the service sends no total', async () => {
    for (const [count, expected] of [
      [199, 1],
      [200, 2],
      [1050, 6],
    ] as const) {
      const requests = serve(accounts(count), { totals: false });
      expect(await readAll()).toEqual(accounts(count));
      expect(requests).toHaveLength(expected);
    }
  });

  it('treat a response with more rows than the limit as the whole list', async () => {
    for (const totals of [true, false]) {
      const requests = serve(accounts(450), { totals, limits: false });
      expect(await readAll()).toEqual(accounts(450));
      expect(requests).toHaveLength(1);
    }
  });

  it('use a cursor after a known row, and an offset otherwise', async () => {
    const client = new QueryClient();
    const requests = serve(accounts(5000));
    const first = await client.query(firstPageQuery());
    const read = (index: number) => client.query(laterPageQuery(noFilter, index, first));
    expect((await read(1)).rows[0]).toEqual(account(200));
    expect((await read(20)).rows[0]).toEqual(account(4000));
    expect((await read(21)).rows[0]).toEqual(account(4200));
    expect(requests.slice(1).map((params) => params.get('offset'))).toEqual([null, '4000', null]);
    expect(cachedAccounts(client).map((row) => row.name)).toEqual(
      [...accounts(400), ...accounts(4400).slice(4000)].map((row) => row.name),
    );
  });

  it('are read by the value after a page of one value', async () => {
    const client = new QueryClient();
    const filter = { ...noFilter, status: 'other', sort: 'status.asc' } as const;
    const queries: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      const { searchParams } = new URL(url);
      queries.push([...searchParams].map((param) => param.join('=')).join('&'));
      // One more row with the value of the page before, then those with other values.
      return Response.json(searchParams.has('id') ? [account(2)] : [account(3)]);
    });
    const first: AccountsPage = { rows: accounts(2), total: 900 };
    const { rows } = await client.query(laterPageQuery(filter, 1, first));
    expect(rows.map(({ name }) => name)).toEqual(['Account 2', 'Account 3']);
    const start = 'select=*&order=status.asc,id.asc';
    const status = 'status=not.in.(active,suspended,archived)';
    expect(queries).toEqual([
      `${start}&limit=2&${status}&status=eq.active&id=gt.${account(1).id}`,
      `${start}&limit=1&${status}&status=gt.active`,
    ]);
  });

  it('have a different query key for the first page', () => {
    const first: AccountsPage = { rows: accounts(3), total: 3 };
    expect(laterPageQuery(noFilter, 0, first).queryKey).not.toEqual(firstPageQuery().queryKey);
  });

  it('have the size of the first page if the service sends fewer rows than requested', async () => {
    const client = new QueryClient();
    const first: AccountsPage = { rows: accounts(50), total: 5000 };
    const requests = serve(accounts(5000));
    await client.query(laterPageQuery(noFilter, 3, first));
    expect(requests.map((params) => [params.get('offset'), params.get('limit')])).toEqual([['150', '50']]);
  });
});

describe('every account', () => {
  const earlier = accounts(300);
  const page = (rows: readonly AccountRow[], total: number | null): AccountsPage => ({ rows, total });

  it('is the first page if that is complete', () => {
    expect(combineAccounts(page(accounts(3), 3), undefined)).toEqual(accounts(3));
    expect(combineAccounts(undefined, earlier)).toBeUndefined();
  });
  it('includes an account that was created or deleted on the first page', () => {
    const added = { ...account(0), id: 'new' };
    const oneMore = [added, ...earlier.slice(0, 199)];
    expect(combineAccounts(page(oneMore, 301), earlier)).toEqual([added, ...earlier]);
    const oneLess = earlier.slice(1, 201);
    expect(combineAccounts(page(oneLess, 299), earlier)).toEqual(earlier.slice(1));
  });
  it('is unknown if the earlier rows do not continue the first page', () => {
    expect(combineAccounts(page(accounts(200), 300), undefined)).toBeUndefined();
    expect(combineAccounts(page(accounts(200), 299), earlier)).toBeUndefined();
    expect(combineAccounts(page([{ ...account(0), id: 'new' }], 300), earlier)).toBeUndefined();
  });
});
