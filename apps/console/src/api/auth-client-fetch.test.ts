import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAuthClientFetch } from './auth-client-fetch.ts';
import { unreachableMessage } from './errors.ts';

const url = 'http://service.invalid/auth/v1/token?grant_type=refresh_token';
const init = { method: 'POST', body: JSON.stringify({ refresh_token: 'r1' }) };

describe('the fetch of the auth client', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const refresh = async (respond: () => Promise<Response>) => {
    vi.stubGlobal('fetch', respond);
    const refused: string[] = [];
    const failed: (string | null)[] = [];
    const send = createAuthClientFetch({
      leavingSignal: () => new AbortController().signal,
      onRejected: (token) => refused.push(token),
      onFailed: (outage) => failed.push(outage && outage.message),
    });
    return { send: () => send(url, init), refused, failed };
  };
  const respondWith = (status: number, body: string) => refresh(async () => new Response(body, { status }));

  it.each([
    [400, ''],
    [400, '<html>Bad Request</html>'],
    [401, ''],
    [403, ''],
    [401, '{"message":"Invalid API key"}'],
    [404, '{"code":404,"msg":"not here"}'],
    [422, '{"error":"unknown"}'],
    [400, '{"code":400,"error_code":"refresh_token_not_found","msg":"Invalid Refresh Token"}'],
    [401, '{"error":"invalid_grant","error_description":"no"}'],
    [403, '{"code":"session_not_found","message":"gone"}'],
  ])('passes on that the service ended the session: %i', async (status, body) => {
    const { send, refused, failed } = await respondWith(status, body);
    expect((await send()).status).toBe(status);
    expect([refused, failed]).toEqual([['r1'], []]);
  });

  it.each([
    [403, '<html>Sign in to the network</html>'],
    [403, '[]'],
    [404, ''],
    [404, '[]'],
    [404, '<html>Not Found</html>'],
    [407, ''],
    [408, '{"message":"timeout"}'],
    [409, '{"code":"conflict"}'],
    [500, '{"code":"unexpected_failure"}'],
    [200, '<html>Welcome</html>'],
    [200, '{}'],
  ])('reports any other response as an outage, so that the session is kept: %i %s', async (status, body) => {
    const { send, refused, failed } = await respondWith(status, body);
    expect((await send()).status).toBeGreaterThanOrEqual(500);
    expect([refused, failed]).toEqual([[], [null]]);
  });

  it('reports a service without a response as unreachable from the second attempt', async () => {
    const { send, refused, failed } = await refresh(async () =>
      Promise.reject(new TypeError('Failed to fetch')),
    );
    await expect(send()).rejects.toThrow('Failed to fetch');
    await expect(send()).rejects.toThrow('Failed to fetch');
    expect([refused, failed]).toEqual([[], [null, unreachableMessage]]);
  });

  it('waits after a 429 for the time that the service states, and reports it immediately', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('addEventListener', () => undefined);
    vi.stubGlobal('removeEventListener', () => undefined);
    const { send, refused, failed } = await refresh(
      async () => new Response('{"msg":"slow down"}', { status: 429, headers: { 'Retry-After': '20' } }),
    );
    let status = 0;
    const sent = send().then((response) => (status = response.status));
    await vi.advanceTimersByTimeAsync(19_000);
    expect([status, refused, failed]).toEqual([0, [], [expect.stringContaining('Too many requests')]]);
    await vi.advanceTimersByTimeAsync(1000);
    await sent;
    // The client keeps the session.
    expect(status).toBe(503);
  });

  it.each([-1440, -61, 0, 61, 44_640])(
    'stores the expiry by a clock that is %i minutes off',
    async (minutes) => {
      const serverTime = Math.round(Date.now() / 1000) - minutes * 60;
      const body = {
        access_token: 'a',
        refresh_token: 'r2',
        expires_in: 3600,
        expires_at: serverTime + 3600,
      };
      const { send } = await respondWith(200, JSON.stringify(body));
      const session = (await (await send()).json()) as { expires_at: number };
      const remaining = session.expires_at - Date.now() / 1000;
      expect(Math.abs(remaining - 3600)).toBeLessThan(30);
    },
  );
});
