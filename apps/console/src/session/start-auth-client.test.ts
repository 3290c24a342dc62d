import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { startAuthClient as imported } from './start-auth-client.ts';

const attempts: number[] = [];
let failures = 0;
let isPageLoadable = true;
let startAuthClient: typeof imported;

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal('location', { pathname: '/admin/accounts' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  vi.stubGlobal('fetch', async () => new Response('', { status: isPageLoadable ? 200 : 502 }));
  attempts.length = 0;
  vi.doMock('../api/current-session.ts', () => ({
    loadAuthClient: async () => {
      attempts.push(Math.round(performance.now()));
      if (attempts.length <= failures) throw new TypeError('Failed to fetch dynamically imported module');
    },
  }));
  ({ startAuthClient } = await import('./start-auth-client.ts'));
});
afterEach(() => {
  vi.doUnmock('../api/current-session.ts');
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

it.each([
  [0, true, [], 0],
  [2, true, [2000, 4000], 0],
  // The browser repeats the failure although the service can be reached.
  [8, true, [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000], 1],
  [4, false, [2000, 4000, 8000, 16_000], 0],
])('after %i failures (page can be loaded: %s), pauses %j and reloads %i times', async (...row) => {
  const [failed, loadable, pauses, reloads] = row;
  [failures, isPageLoadable] = [failed, loadable];
  const reload = vi.fn();
  const started = startAuthClient(reload);
  await vi.advanceTimersByTimeAsync(600_000);
  await started;
  expect(attempts.slice(1).map((time, index) => time - (attempts[index] ?? 0))).toEqual(pauses);
  expect(reload).toHaveBeenCalledTimes(reloads);
});
