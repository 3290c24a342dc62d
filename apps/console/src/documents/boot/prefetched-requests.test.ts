/** The queries of the accounts screen send the requests that the boot script has sent. */
import { QueryClient } from '@tanstack/react-query';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const backend = 'https://platform.test';
const token = 'a.b.c';
const user = {
  id: '0b0f2c9e-5a52-4c0e-9a3e-0d1f5a3b7c11',
  app_metadata: {},
  user_metadata: {},
  aud: 'authenticated',
  created_at: '',
};

// The files of one worker share modules and globals, and the clients read these globals when they are imported.
beforeAll(() => {
  vi.resetModules();
  vi.spyOn(console, 'warn').mockReturnValue();
  const expires_at = Math.floor(Date.now() / 1000) + 3600;
  const session = JSON.stringify({ access_token: token, refresh_token: 'r', expires_at, user });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('location', { origin: backend });
  vi.stubGlobal('document', { getElementById: () => null });
  const storage = { getItem: () => session, setItem: () => undefined, removeItem: () => undefined };
  vi.stubGlobal('localStorage', storage);
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('use all prefetched responses, and send no request of their own', async () => {
  const { hasPrefetchedResponses, prefetch } = await import('../../api/prefetch.ts');
  const { accountsScreenReads } = await import('../../features/accounts/accounts-screen-reads.ts');
  const { firstPageQuery } = await import('../../features/accounts/accounts-list.ts');
  const { prefetchUserQueries } = await import('../../session/use-session.tsx');
  const sent: { url: string; headers: Headers }[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    sent.push({ url, headers: new Headers(headers) });
    return Response.json(url.includes('/profiles') ? { id: user.id } : []);
  });
  prefetch(accountsScreenReads(user.id), { token, anonKey: '', backend });
  const prefetched = [...sent];
  expect(prefetched).toHaveLength(4);
  const read = async (): Promise<void> => {
    const queries = new QueryClient();
    await Promise.all([queries.query(firstPageQuery()), prefetchUserQueries(queries, user)]);
  };
  await read();
  expect(sent).toHaveLength(4);
  expect(hasPrefetchedResponses()).toBe(false);

  // Without prefetched responses, the queries send the same requests.
  await read();
  const shape = ({ url, headers }: (typeof sent)[number]) =>
    `${decodeURIComponent(url)} ${headers.get('Accept')} ${headers.get('Prefer')}`;
  expect(sent.slice(4).map(shape).toSorted()).toEqual(prefetched.map(shape).toSorted());
});
