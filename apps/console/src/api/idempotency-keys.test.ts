import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDialogAction, randomUuid, startRetryOffer, withIdempotencyKey } from './idempotency-keys.ts';

const insert = 'http://service.invalid/rest/v1/accounts';

describe('idempotency keys', () => {
  const setFeatures = (features: string[]): void => {
    const element = { textContent: JSON.stringify({ features }) };
    vi.stubGlobal('document', { getElementById: () => element });
  };
  beforeEach(() => setFeatures(['extensions']));
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
    // The same button two hours later is a new action.
    vi.advanceTimersByTime(2 * 3_600_000);
    const later = await send(insert, post('a'), fail);
    expect(later).not.toBe(key);
    // A clock that was corrected between two attempts tells nothing.
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await send(insert, post('a'))).toBe(later);
  });

  it('stay the same while their dialog is open, and end two minutes after the last attempt', async () => {
    vi.useFakeTimers();
    const close = startDialogAction();
    const key = await send(insert, post('in a dialog'), fail);
    const isOpen = startRetryOffer();
    vi.advanceTimersByTime(3 * 3_600_000);
    expect(isOpen()).toBe(true);
    expect(await send(insert, post('in a dialog'), fail)).toBe(key);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(await send(insert, post('in a dialog'), fail)).toBe(key);
    close();
    vi.advanceTimersByTime(121_000);
    // Another dialog with the same input is another action.
    startDialogAction();
    expect(isOpen()).toBe(false);
    expect(await send(insert, post('in a dialog'))).not.toBe(key);
  });

  it('end with a success', async () => {
    const key = await send(insert, post('a'), fail);
    expect(await send(insert, post('a'))).toBe(key);
    expect(await send(insert, post('a'))).not.toBe(key);
  });

  const functionUrl = (name: string) => `http://service.invalid/functions/v1/${name}`;
  const id = '0b0f2c9e-5a52-4c0e-9a3e-0d1f5a3b7c11';

  it.each([
    [
      'the same email address',
      'remove-administrator',
      { email: 'a@b.example' },
      'restore-administrator',
      { email: 'a@b.example', n: 1 },
    ],
    ['the same ID', 'set-account-status', { account_id: id, n: 1 }, 'undo', { list: [{ id }] }],
    [
      'no record, of the same function',
      'set-requirement',
      { required: true },
      'set-requirement',
      { required: false },
    ],
  ])(
    'end when another change succeeds with %s: the first one may be undone',
    async (_, first, body, second, other) => {
      const url = functionUrl(first);
      const init = post(JSON.stringify(body));
      const key = await send(url, init, fail);
      await send(functionUrl(second), post(JSON.stringify(other)), unavailable);
      expect(await send(url, init, fail)).toBe(key);
      await send(functionUrl(second), post(JSON.stringify(other)));
      expect(await send(url, init)).not.toBe(key);
    },
  );

  it('survive a change of another record, and the confirmation of a visit', async () => {
    const resend = (email: string, respond?: () => Response) =>
      send(functionUrl('send-user-invitation'), post(JSON.stringify({ email, full_name: 'Ada' })), respond);
    const [first, second] = [await resend('a@b.example', fail), await resend('b@b.example', fail)];
    const row = (name: string): RequestInit => post(JSON.stringify({ name, created_by: id }));
    const create = await send(insert, row('Ridge'), fail);
    await send(insert, row('Alpine'));
    expect(await resend('a@b.example')).toBe(first);
    await send(functionUrl('confirm-handover'), post('{"until":"2026-11-26T05:00:00Z"}'));
    expect(await resend('b@b.example')).toBe(second);
    expect(await send(insert, row('Ridge'))).toBe(create);
  });

  it('survive a change of their record while their request is running', async () => {
    const url = functionUrl('slow');
    const running = await send(url, post(`["${id}"]`), async () => {
      await send(functionUrl('other'), post(`["${id}"]`));
      return unavailable();
    });
    expect(await send(url, post(`["${id}"]`))).toBe(running);
  });

  it('show whether Retry is the same action', async () => {
    vi.useFakeTimers();
    const isOpen = startRetryOffer();
    vi.advanceTimersByTime(119_000);
    expect(isOpen()).toBe(true);
    vi.advanceTimersByTime(2000);
    expect(isOpen()).toBe(false);
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
