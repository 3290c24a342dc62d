// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasPrefetchedResponses, prefetch, type PrefetchRead, takePrefetchedResponse } from './prefetch.ts';

const backend = 'https://platform.test';
const list = `${backend}/rest/v1/accounts?select=*&order=created_at.desc%2Cid.desc&limit=200`;
const counted = { headers: { Prefer: 'count=exact' } };
const reads: readonly PrefetchRead[] = [
  { path: '/accounts?select=*&order=created_at.desc,id.desc&limit=200', headers: { Prefer: 'count=exact' } },
  { path: '/profiles?select=*', headers: { Accept: 'application/vnd.pgrst.object+json' } },
];
const options = { token: 'token-1', anonKey: 'key', backend };

describe('prefetched responses', () => {
  let sent: { url: string; init: RequestInit | undefined }[] = [];
  let respond: () => Promise<Response> = () => Promise.resolve(new Response('[]'));

  beforeEach(() => {
    sent = [];
    vi.useFakeTimers();
    vi.stubGlobal('window', {});
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
      sent.push({ url, init });
      return respond();
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    respond = () => Promise.resolve(new Response('[]'));
  });

  it('are requested from the service only, with the user\u2019s token, and returned once', async () => {
    prefetch(reads, options);
    expect(sent.map(({ url }) => url.startsWith(`${backend}/rest/v1/`))).toEqual([true, true]);
    expect(new Headers(sent[0]?.init?.headers).get('Authorization')).toBe('Bearer token-1');
    expect(await (await takePrefetchedResponse(list, counted, 'token-1'))?.text()).toBe('[]');
    expect(await takePrefetchedResponse(list, counted, 'token-1')).toBeNull();
  });

  it.each([
    ['another token', list, counted, 'token-2'],
    ['a request without a token', list, counted, undefined],
    ['another URL', `${list}&limit=1`, counted, 'token-1'],
    ['a request without the total', list, undefined, 'token-1'],
    [
      'a single row',
      list,
      { headers: { ...counted.headers, Accept: 'application/vnd.pgrst.object+json' } },
      'token-1',
    ],
    ['a write', list, { ...counted, method: 'POST' }, 'token-1'],
  ])('are not returned for %s', async (_case, url, init, token) => {
    prefetch(reads, options);
    expect(await takePrefetchedResponse(url, init, token)).toBeNull();
    expect(await takePrefetchedResponse(list, counted, 'token-1')).not.toBeNull();
  });

  it('are not returned if their request failed', async () => {
    respond = () => Promise.reject(new TypeError('offline'));
    prefetch(reads, options);
    expect(await takePrefetchedResponse(list, counted, 'token-1')).toBeNull();
  });

  it('are not returned to an aborted request', async () => {
    prefetch(reads, options);
    const init = { ...counted, signal: AbortSignal.abort() };
    await expect(takePrefetchedResponse(list, init, 'token-1')).rejects.toThrow('abort');
  });

  it('are discarded if they stay unused', async () => {
    prefetch(reads, options);
    const canceled = vi.spyOn(ReadableStream.prototype, 'cancel');
    const taken = await takePrefetchedResponse(list, counted, 'token-1');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(hasPrefetchedResponses()).toBe(false);
    expect(canceled).toHaveBeenCalledTimes(1);
    expect(await taken?.text()).toBe('[]');
  });
});
