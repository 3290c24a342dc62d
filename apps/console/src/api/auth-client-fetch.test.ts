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

  const createClient = async (respond: () => Promise<Response>) => {
    vi.stubGlobal('fetch', respond);
    const rejected: string[] = [];
    const failed: (string | null)[] = [];
    const send = createAuthClientFetch({
      leavingSignal: () => new AbortController().signal,
      onRejected: (token) => rejected.push(token),
      onFailed: (outage) => failed.push(outage && outage.message),
    });
    return { send: () => send(url, init), rejected, failed };
  };
  const respondWith = (status: number, body: string) =>
    createClient(async () => new Response(body, { status }));

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
  ])('returns a rejection of the refresh token unchanged: %i %s', async (status, body) => {
    const { send, rejected, failed } = await respondWith(status, body);
    expect((await send()).status).toBe(status);
    expect([rejected, failed]).toEqual([['r1'], []]);
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
    [511, '<html>Sign in to the network</html>'],
    [599, ''],
    [200, '<html>Welcome</html>'],
    [200, '{}'],
  ])('reports any other response as an outage, so that the session is kept: %i %s', async (status, body) => {
    const { send, rejected, failed } = await respondWith(status, body);
    expect((await send()).status).toBe(503);
    expect([rejected, failed]).toEqual([[], [null]]);
  });

  it('reports a service without a response as unreachable from the second attempt', async () => {
    const { send, rejected, failed } = await createClient(async () =>
      Promise.reject(new TypeError('Failed to fetch')),
    );
    await expect(send()).rejects.toThrow('Failed to fetch');
    await expect(send()).rejects.toThrow('Failed to fetch');
    expect([rejected, failed]).toEqual([[], [null, unreachableMessage]]);
  });

  it('waits after a 429 for the time that the service states, and reports it immediately', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('addEventListener', () => undefined);
    vi.stubGlobal('removeEventListener', () => undefined);
    const { send, rejected, failed } = await createClient(
      async () => new Response('{"msg":"slow down"}', { status: 429, headers: { 'Retry-After': '20' } }),
    );
    let status = 0;
    const sent = send().then((response) => (status = response.status));
    await vi.advanceTimersByTimeAsync(19_000);
    expect([status, rejected, failed]).toEqual([0, [], [expect.stringContaining('Too many requests')]]);
    await vi.advanceTimersByTimeAsync(1000);
    await sent;
    // The client keeps the session.
    expect(status).toBe(503);
  });

  it.each([-1440, -61, 0, 61, 44_640])(
    'sets the expiry by the clock of the device, which is %i minutes ahead',
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
