// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  prefetchAccountsScreen,
  hasPrefetchedResponses,
  newestAccountsRead,
  takePrefetchedResponse,
} from './prefetch.ts';

const backend = 'https://platform.test';
const list = `${backend}/rest/v1${newestAccountsRead.path}`;
const counted = { headers: newestAccountsRead.headers };
const asker = { userId: 'u1', token: 'mine', anonKey: 'key', backend };

describe('answers asked for ahead', () => {
  let sent: { url: string; init: RequestInit | undefined }[] = [];
  let answer: () => Promise<Response> = () => Promise.resolve(new Response('[]'));

  beforeEach(() => {
    sent = [];
    vi.useFakeTimers();
    vi.stubGlobal('window', {});
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
      sent.push({ url, init });
      return answer();
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    answer = () => Promise.resolve(new Response('[]'));
  });

  it('go to the platform alone, with the person\u2019s token, and are handed over once', async () => {
    prefetchAccountsScreen(asker);
    expect(sent.map(({ url }) => url.startsWith(`${backend}/rest/v1/`))).toEqual([true, true, true, true]);
    expect(new Headers(sent[0]?.init?.headers).get('Authorization')).toBe('Bearer mine');
    expect(await (await takePrefetchedResponse(list, counted, 'mine'))?.text()).toBe('[]');
    expect(await takePrefetchedResponse(list, counted, 'mine')).toBeNull();
  });

  it.each([
    ['another token', list, counted, 'hers'],
    ['nobody', list, counted, undefined],
    ['another question', `${list}&limit=1`, counted, 'mine'],
    ['a write', list, { ...counted, method: 'POST' }, 'mine'],
  ])('are not for %s', async (_case, url, init, token) => {
    prefetchAccountsScreen(asker);
    expect(await takePrefetchedResponse(url, init, token)).toBeNull();
    expect(await takePrefetchedResponse(list, counted, 'mine')).not.toBeNull();
  });

  it('leave it to the caller to ask when they could not be had', async () => {
    answer = () => Promise.reject(new TypeError('offline'));
    prefetchAccountsScreen(asker);
    expect(await takePrefetchedResponse(list, counted, 'mine')).toBeNull();
  });

  it('do not reach a caller who has stopped waiting', async () => {
    prefetchAccountsScreen(asker);
    const init = { ...counted, signal: AbortSignal.abort() };
    await expect(takePrefetchedResponse(list, init, 'mine')).rejects.toThrow('abort');
  });

  it('are given up when nobody comes for them', async () => {
    prefetchAccountsScreen(asker);
    const cancelled = vi.spyOn(ReadableStream.prototype, 'cancel');
    const taken = await takePrefetchedResponse(list, counted, 'mine');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(hasPrefetchedResponses()).toBe(false);
    expect(cancelled).toHaveBeenCalledTimes(3);
    expect(await taken?.text()).toBe('[]');
  });
});
