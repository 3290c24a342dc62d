import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomUuid, startRetryOffer, withIdempotencyKey } from './idempotency-keys.ts';

const insert = 'http://service.invalid/rest/v1/accounts';

describe('idempotency keys', () => {
  const setFeatures = (features: string[]): void => {
    const element = { textContent: JSON.stringify({ features }) };
    vi.stubGlobal('document', { getElementById: () => element });
  };
  beforeEach(() => setFeatures(['idempotency-keys']));
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Sends a request. Returns its key, or null. */
  const send = async (
    url: string,
    init: RequestInit,
    respond: () => Response | Promise<Response> = () => Response.json({}),
  ): Promise<string | null> => {
    let key: string | null = null;
    await withIdempotencyKey(url, init, async (sent) => {
      key = new Headers(sent?.headers).get('Idempotency-Key');
      return respond();
    }).catch(() => undefined);
    return key;
  };
  const post = (body: string) => ({ method: 'POST', body });
  const fail = (): never => {
    throw new TypeError('Failed to fetch');
  };

  it('are UUIDs also without HTTPS', () => {
    vi.stubGlobal('isSecureContext', false);
    const keys = Array.from({ length: 100 }, randomUuid);
    for (const key of keys)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(keys).size).toBe(100);
  });

  const unavailable = () => new Response(null, { status: 503 });

  it('stay the same after attempts without a success, for two minutes after the last one', async () => {
    vi.useFakeTimers();
    const key = await send(insert, post('a'), fail);
    vi.advanceTimersByTime(119_000);
    expect(await send(insert, post('a'), unavailable)).toBe(key);
    vi.advanceTimersByTime(119_000);
    expect(await send(insert, post('a'), fail)).toBe(key);
    // The same button two hours later is a new act.
    vi.advanceTimersByTime(2 * 3_600_000);
    const later = await send(insert, post('a'), fail);
    expect(later).not.toBe(key);
    // A clock that was set back does not bring the old act back.
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await send(insert, post('a'))).not.toBe(later);
  });

  it('end with a success', async () => {
    const key = await send(insert, post('a'), fail);
    expect(await send(insert, post('a'))).toBe(key);
    expect(await send(insert, post('a'))).not.toBe(key);
  });

  it('end when another change succeeds, here or in another tab: the first one may be undone', async () => {
    const remove = await send(insert, post('remove'), fail);
    await send(insert, post('restore'));
    const again = await send(insert, post('remove'), fail);
    expect(again).not.toBe(remove);
    await send(insert, post('other'), unavailable);
    expect(await send(insert, post('remove'), fail)).toBe(again);
    const otherTab = new BroadcastChannel('changes');
    otherTab.postMessage(null);
    await vi.waitFor(async () => expect(await send(insert, post('remove'), fail)).not.toBe(again));
    otherTab.close();
  });

  it('survive another change while their request is running', async () => {
    const running = await send(insert, post('slow'), async () => {
      await send(insert, post('other'));
      return unavailable();
    });
    expect(await send(insert, post('slow'))).toBe(running);
  });

  it('tell whether Retry would be the same act', async () => {
    vi.useFakeTimers();
    const isOpen = startRetryOffer();
    vi.advanceTimersByTime(119_000);
    expect(isOpen()).toBe(true);
    vi.advanceTimersByTime(2000);
    expect(isOpen()).toBe(false);
    const other = startRetryOffer();
    await send(insert, post('rejected'), () => new Response(null, { status: 409 }));
    expect(other()).toBe(true);
    await send(insert, post('other'));
    expect(other()).toBe(false);
  });

  it.each([
    ['POST', insert, true],
    ['PATCH', `${insert}?id=eq.1`, true],
    ['DELETE', `${insert}?id=eq.1`, true],
    ['GET', insert, false],
    ['HEAD', insert, false],
    ['POST', 'http://service.invalid/functions/v1/send-user-invitation', true],
    ['POST', 'http://service.invalid/functions/v1/list-activity', false],
    ['POST', 'http://service.invalid/auth/v1/token?grant_type=password', false],
  ])('are sent for every change of data and functions: %s %s', async (method, url, expected) => {
    expect((await send(url, { method })) !== null).toBe(expected);
  });

  it('are not sent to a backend that does not name them', async () => {
    setFeatures([]);
    expect(await send(insert, post('a'))).toBeNull();
  });
});
