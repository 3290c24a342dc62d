import { QueryClient } from '@tanstack/react-query';
import { afterAll, expect, it, vi } from 'vitest';
import { invitationsQuery } from './admins-queries.ts';

// The API clients read these globals when they are imported.
vi.hoisted(() => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { origin: 'https://platform.test' });
  vi.stubGlobal('document', { getElementById: () => null });
  vi.stubGlobal('localStorage', { getItem: () => null });
});
// The files of one worker share the globals.
afterAll(() => vi.unstubAllGlobals());

/** Stubs `fetch` with a service that has this number of invitations and returns at most `maxRows` of them. */
const serve = (total: number, { maxRows = 1000, counts = true } = {}): string[] => {
  const offsets: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const offset = Number(new URL(url).searchParams.get('offset') ?? 0);
    offsets.push(String(offset));
    const rows = Array.from({ length: Math.min(maxRows, total - offset) }, (_, index) => ({
      id: String(offset + index),
      email: `p${offset + index}@example.org`,
    }));
    return Response.json(rows, { headers: counts ? { 'Content-Range': `0-0/${total}` } : {} });
  });
  return offsets;
};

it.each([
  [0, {}, ['0'], 0],
  [1000, {}, ['0'], 1000],
  [2001, {}, ['0', '1000', '2000'], 2001],
  [5, { maxRows: 2 }, ['0', '2', '4'], 5],
  [5, { counts: false }, ['0'], 5],
] as const)('reads all of %i invitations with %o', async (total, options, offsets, expected) => {
  const requested = serve(total, options);
  const rows = await new QueryClient().query(invitationsQuery);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(expected);
  expect(requested).toEqual(offsets);
});
