import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomUuid, withIdempotencyKey } from './idempotency-keys.ts';

const insert = 'http://service.invalid/rest/v1/accounts';

describe('idempotency keys', () => {
  const setFeatures = (features: string[]): void => {
    const element = { textContent: JSON.stringify({ features }) };
    vi.stubGlobal('document', { getElementById: () => element });
  };
  beforeEach(() => setFeatures(['idempotency-keys']));
  afterEach(() => vi.unstubAllGlobals());

  /** Sends a request. Returns its key, or null. */
  const send = async (
    url: string,
    init: RequestInit,
    respond = () => Response.json({}),
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

  it('stay the same until a request succeeds, and differ for other requests', async () => {
    const key = await send(insert, post('a'), fail);
    expect(await send(insert, post('a'), () => new Response(null, { status: 503 }))).toBe(key);
    expect(await send(insert, post('b'))).not.toBe(key);
    expect(await send(insert, post('a'))).toBe(key);
    expect(await send(insert, post('a'))).not.toBe(key);
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
