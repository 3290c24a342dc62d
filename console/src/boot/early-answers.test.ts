// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askEarly, hasEarlyAnswers, newestAccountsRead, takeEarlyAnswer } from './early-answers.ts';

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
    askEarly(asker);
    expect(sent.map(({ url }) => url.startsWith(`${backend}/rest/v1/`))).toEqual([true, true, true, true]);
    expect(new Headers(sent[0]?.init?.headers).get('Authorization')).toBe('Bearer mine');
    expect(await (await takeEarlyAnswer(list, counted, 'mine'))?.text()).toBe('[]');
    expect(await takeEarlyAnswer(list, counted, 'mine')).toBeNull();
  });

  it.each([
    ['another token', list, counted, 'hers'],
    ['nobody', list, counted, undefined],
    ['another question', `${list}&limit=1`, counted, 'mine'],
    ['a write', list, { ...counted, method: 'POST' }, 'mine'],
  ])('are not for %s', async (_case, url, init, token) => {
    askEarly(asker);
    expect(await takeEarlyAnswer(url, init, token)).toBeNull();
    expect(await takeEarlyAnswer(list, counted, 'mine')).not.toBeNull();
  });

  it('leave it to the caller to ask when they could not be had', async () => {
    answer = () => Promise.reject(new TypeError('offline'));
    askEarly(asker);
    expect(await takeEarlyAnswer(list, counted, 'mine')).toBeNull();
  });

  it('do not reach a caller who has stopped waiting', async () => {
    askEarly(asker);
    const init = { ...counted, signal: AbortSignal.abort() };
    await expect(takeEarlyAnswer(list, init, 'mine')).rejects.toThrow('abort');
  });

  it('are given up when nobody comes for them', async () => {
    askEarly(asker);
    const cancelled = vi.spyOn(ReadableStream.prototype, 'cancel');
    const taken = await takeEarlyAnswer(list, counted, 'mine');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(hasEarlyAnswers()).toBe(false);
    expect(cancelled).toHaveBeenCalledTimes(3);
    expect(await taken?.text()).toBe('[]');
  });
});
