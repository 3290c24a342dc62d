import type { AccountRow } from '@lanternrock/contract/rows';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import {
  type AccountsPage,
  cachedAccounts,
  everyAccount,
  everyCachedAccount,
  firstPageQuery,
  keepsEveryAccount,
  keptAccountsQuery,
  laterPageQuery,
} from './accounts-list.ts';

// What the clients of the service read from the page.
vi.hoisted(() => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { origin: 'https://platform.test' });
  vi.stubGlobal('document', { getElementById: () => null });
});

const newYear = Date.UTC(2026, 0, 1);

/** Account `n` of a list, newest first. Neighbours share their moment, so that only the id orders them. */
const account = (n: number): AccountRow => ({
  id: `00000000-0000-4000-8000-${String(99_999 - n).padStart(12, '0')}`,
  name: `Account ${n}`,
  slug: `account-${n}`,
  account_type: 'enterprise',
  address: null,
  city: null,
  state: null,
  zip_code: null,
  status: 'active',
  active_members: 0,
  created_by: null,
  created_at: new Date(newYear - Math.floor(n / 2) * 60_000).toISOString(),
  updated_at: new Date(newYear).toISOString(),
});

const accounts = (count: number): readonly AccountRow[] =>
  Array.from({ length: count }, (_, n) => account(n));

/** Answers the reads of a list as a service does. `limits: false`: it sends all rows that follow. */
const serve = (rows: readonly AccountRow[], { totals = true, limits = true } = {}): URLSearchParams[] => {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { searchParams } = new URL(url);
    asked.push(searchParams);
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
  return asked;
};

const filterless = { text: '', type: undefined };

/** Reads the first page, and the rest as the screen does. */
const readAll = async (): Promise<readonly AccountRow[] | undefined> => {
  const client = new QueryClient();
  const first = await client.query(firstPageQuery());
  if (keepsEveryAccount(first)) await client.query(keptAccountsQuery);
  return everyCachedAccount(client);
};

describe('the accounts as pages', () => {
  it('reads up to a thousand with two requests', async () => {
    const all = accounts(1000);
    const asked = serve(all);
    expect(await readAll()).toEqual(all);
    expect(asked.map((params) => params.get('limit'))).toEqual(['200', '1000']);
    expect(asked[1]?.get('offset')).toBe('200');
  });

  it('reads one page where all accounts fit into it, and where more than a thousand exist', async () => {
    for (const count of [0, 199, 200, 1001]) {
      const asked = serve(accounts(count));
      expect(await readAll()).toEqual(count === 1001 ? undefined : accounts(count));
      expect(asked).toHaveLength(1);
    }
  });

  it('reads pages until a short one where the service sends no total', async () => {
    for (const [count, requests] of [
      [199, 1],
      [200, 2],
      [1050, 6],
    ] as const) {
      const asked = serve(accounts(count), { totals: false });
      expect(await readAll()).toEqual(accounts(count));
      expect(asked).toHaveLength(requests);
    }
  });

  it('takes a response with more rows than the limit as the whole list', async () => {
    for (const totals of [true, false]) {
      const asked = serve(accounts(450), { totals, limits: false });
      expect(await readAll()).toEqual(accounts(450));
      expect(asked).toHaveLength(1);
    }
  });

  it('reads a later page behind a known row, and jumps by offset', async () => {
    const client = new QueryClient();
    const asked = serve(accounts(5000));
    const first = await client.query(firstPageQuery());
    const read = (index: number) => client.query(laterPageQuery(filterless, index, first));
    expect((await read(1)).rows[0]).toEqual(account(200));
    expect((await read(20)).rows[0]).toEqual(account(4000));
    expect((await read(21)).rows[0]).toEqual(account(4200));
    expect(asked.slice(1).map((params) => params.get('offset'))).toEqual([null, '4000', null]);
    expect(cachedAccounts(client).map((row) => row.name)).toEqual(
      [...accounts(400), ...accounts(4400).slice(4000)].map((row) => row.name),
    );
  });

  it('never reads a later page in place of the first', () => {
    const first: AccountsPage = { rows: accounts(3), total: 3 };
    expect(laterPageQuery(filterless, 0, first).queryKey).not.toEqual(firstPageQuery().queryKey);
  });

  it('reads a service that sends fewer rows than asked in steps of its own', async () => {
    const client = new QueryClient();
    const first: AccountsPage = { rows: accounts(50), total: 5000 };
    const asked = serve(accounts(5000));
    await client.query(laterPageQuery(filterless, 3, first));
    expect(asked.map((params) => [params.get('offset'), params.get('limit')])).toEqual([['150', '50']]);
  });
});

describe('every account', () => {
  const kept = accounts(300);
  const page = (rows: readonly AccountRow[], total: number | null): AccountsPage => ({ rows, total });

  it('is the first page where that holds all', () => {
    expect(everyAccount(page(accounts(3), 3), undefined)).toEqual(accounts(3));
    expect(everyAccount(undefined, kept)).toBeUndefined();
  });
  it('follows an account that was added or removed above the kept ones', () => {
    const added = { ...account(0), id: 'new' };
    const oneMore = [added, ...kept.slice(0, 199)];
    expect(everyAccount(page(oneMore, 301), kept)).toEqual([added, ...kept]);
    const oneLess = kept.slice(1, 201);
    expect(everyAccount(page(oneLess, 299), kept)).toEqual(kept.slice(1));
  });
  it('is unknown where the kept rows do not continue the first page', () => {
    expect(everyAccount(page(accounts(200), 300), undefined)).toBeUndefined();
    expect(everyAccount(page(accounts(200), 299), kept)).toBeUndefined();
    expect(everyAccount(page([{ ...account(0), id: 'new' }], 300), kept)).toBeUndefined();
  });
});
