import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import { accountFilter } from './account-filter.ts';
import { firstPageQuery } from './accounts-list.ts';
import { testAccount } from './test-account.ts';
import { useAccountsList, type AccountsList } from './use-accounts-list.ts';

// The API clients read these globals when they are imported.
vi.hoisted(() => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { origin: 'https://platform.test' });
  vi.stubGlobal('document', { getElementById: () => null });
});
// The files of one worker share the globals.
afterAll(() => vi.unstubAllGlobals());

const filter = accountFilter('ridge', undefined);

/** Sets the state of the query of a first page, which failed at `failedAt` if it has an error. */
const setFirstPage = (
  client: QueryClient,
  { queryKey }: ReturnType<typeof firstPageQuery>,
  { error = null, failedAt = 0, loaded }: { error?: Error | null; failedAt?: number; loaded: boolean },
): void => {
  client
    .getQueryCache()
    .build(client, { queryKey })
    .setState({
      status: error === null ? 'success' : 'error',
      ...(loaded && { data: { rows: [testAccount()], total: 5000 }, dataUpdatedAt: Date.now() }),
      error,
      errorUpdatedAt: failedAt,
    });
};

/** Returns a client that renders the states as they are, without a request. */
const createClient = (): QueryClient =>
  new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retryOnMount: false } } });

const renderList = (client: QueryClient): AccountsList => {
  const lists: AccountsList[] = [];
  function Probe(): null {
    lists.push(useAccountsList(filter, filter));
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Probe />
    </QueryClientProvider>,
  );
  const [list] = lists;
  if (list === undefined) throw new Error('The list was not rendered.');
  return list;
};

describe('the account list', () => {
  it('has the error of the filter, also after another query failed later and recovered', () => {
    const client = createClient();
    const error = new ApiError({ kind: 'data', status: 500, message: 'The filter failed.' });
    setFirstPage(client, firstPageQuery(filter), { error, failedAt: 1000, loaded: false });
    setFirstPage(client, firstPageQuery(), { failedAt: 2000, loaded: true });
    expect(renderList(client)).toMatchObject({ error, latestError: error, failedAt: 1000, total: 0 });
  });

  it('has the rows and the latest error while a page is read again', () => {
    const client = createClient();
    const earlier = new ApiError({ kind: 'network', message: 'Earlier.' });
    const later = new ApiError({ kind: 'network', message: 'Later.' });
    setFirstPage(client, firstPageQuery(filter), { error: earlier, failedAt: 1000, loaded: true });
    setFirstPage(client, firstPageQuery(), { error: later, failedAt: 2000, loaded: true });
    expect(renderList(client)).toMatchObject({
      error: null,
      latestError: later,
      failedAt: 2000,
      total: 5000,
    });
  });

  it('has no error after a recovery', () => {
    const client = createClient();
    setFirstPage(client, firstPageQuery(filter), { failedAt: 1000, loaded: true });
    setFirstPage(client, firstPageQuery(), { loaded: true });
    expect(renderList(client)).toMatchObject({ error: null, latestError: null, failedAt: 0, total: 5000 });
  });
});
