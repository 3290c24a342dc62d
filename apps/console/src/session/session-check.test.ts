/** The stored session with a service that cannot be reached, or responds late. Each test loads a document of its own. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const storageKey = 'sb-service-auth-token';
const token = (name: string): string => `head.${btoa(JSON.stringify({ sub: name, aal: 'aal1' }))}.sign`;

const sessionOf = (name: string, seconds: number): string =>
  JSON.stringify({
    access_token: token(name),
    refresh_token: `refresh ${name}`,
    expires_in: seconds,
    expires_at: Math.floor(Date.now() / 1000) + seconds,
    user: { id: name, app_metadata: {}, user_metadata: {}, factors: [] },
  });

describe('the stored session', () => {
  let stored: Record<string, string>;
  let requests: { readonly url: string; readonly token: string | null }[];
  let respond: (url: string) => Promise<Response>;

  beforeEach(() => {
    vi.resetModules();
    vi.useFakeTimers();
    // Each client warns of the earlier ones.
    vi.spyOn(console, 'warn').mockReturnValue();
    stored = {};
    requests = [];
    const storage = {
      getItem: (key: string) => stored[key] ?? null,
      setItem: (key: string, value: string) => (stored[key] = value),
      removeItem: (key: string) => delete stored[key],
    };
    // The keys of a storage are properties.
    vi.stubGlobal(
      'localStorage',
      new Proxy(storage, {
        ownKeys: () => Object.keys(stored),
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      }),
    );
    vi.stubGlobal('addEventListener', () => undefined);
    vi.stubGlobal('removeEventListener', () => undefined);
    vi.stubGlobal('location', new URL('http://service.invalid/admin/accounts'));
    vi.stubGlobal('window', globalThis);
    vi.stubGlobal('document', {
      getElementById: () => ({ textContent: '{"anonKey":"anon"}' }),
      addEventListener: () => undefined,
      visibilityState: 'visible',
    });
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      const { signal } = init;
      requests.push({ url, token: new Headers(init.headers).get('Authorization') });
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        respond(url).then(resolve, reject);
      });
    });
  });
  afterEach(() => {
    vi.doUnmock('../api/auth-client.ts');
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  const load = async () => ({
    client: await import('../api/auth-client.ts'),
    local: await import('../api/local-session.ts'),
    current: await import('../api/current-session.ts'),
    check: await import('./session-check.ts'),
  });
  const dead = (): Promise<Response> => new Promise(() => undefined);

  it.each([
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a connection without a response', dead],
  ])('is kept if its token expires during the check: %s', async (_case, send) => {
    respond = send;
    stored[storageKey] = sessionOf('ann', 15);
    const { check } = await load();
    const checked = check.checkSession();
    await vi.advanceTimersByTimeAsync(120_000);
    await checked;
    expect(stored[storageKey]).toContain('refresh ann');
  });

  const unreachable = (): never => {
    throw new TypeError('Failed to fetch dynamically imported module');
  };
  it.each([
    [3600, 'fails', 'refresh ann'],
    [60, 'fails', 'refresh ann'],
    [60, 'never ends', 'refresh ann'],
    [-10, 'fails', 'The service cannot be reached'],
    [-10, 'never ends', 'The service did not respond in time'],
  ])('valid for %i s while the load of the auth client %s: %s', async (seconds, outcome, expected) => {
    vi.doMock('../api/auth-client.ts', outcome === 'fails' ? unreachable : () => dead());
    respond = dead;
    stored[storageKey] = sessionOf('ann', seconds);
    const { getCurrentSession } = await import('../api/current-session.ts');
    const found = getCurrentSession().then(
      (session) => session?.refresh_token,
      (error: unknown) => String(error),
    );
    await vi.advanceTimersByTimeAsync(9000);
    expect(await found).toContain(expected);
    expect(stored[storageKey]).toContain('refresh ann');
  });

  it('that is not stored is reported without the auth client', async () => {
    vi.doMock('../api/auth-client.ts', unreachable);
    const { onMissingSession } = await import('../api/local-session.ts');
    const { getCurrentSession } = await import('../api/current-session.ts');
    const missing = vi.fn();
    onMissingSession(missing);
    expect(await getCurrentSession()).toBeNull();
    expect(missing).toHaveBeenCalledOnce();
  });

  it('is removed if its token cannot be read', async () => {
    respond = dead;
    stored[storageKey] = sessionOf('ann', 3600).replace(token('ann'), 'no token');
    const { check } = await load();
    expect(await check.checkSession()).toEqual({ kind: 'none' });
    expect(stored).toEqual({});
    expect(requests).toEqual([]);
  });

  it('of the next user is not the one that ends', async () => {
    respond = dead;
    stored[storageKey] = sessionOf('ann', 30);
    stored[`${storageKey}-code-verifier`] = 'verifier';
    stored['theme'] = 'dark';
    const { local } = await load();
    // The client refreshes the session of Ann, and waits.
    await vi.advanceTimersByTimeAsync(1000);
    local.endLocalSession({ revoke: true });
    expect(stored).toEqual({ theme: 'dark' });
    stored[storageKey] = sessionOf('bob', 3600);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(stored[storageKey]).toContain('refresh bob');
    const ended = requests.filter(({ url }) => url.includes('/logout'));
    expect(ended).toEqual([
      { url: 'http://service.invalid/auth/v1/logout?scope=local', token: `Bearer ${token('ann')}` },
    ]);
  });

  it('does not come back when a refresh that was running ends', async () => {
    let arrive = (): void => undefined;
    respond = (url) =>
      url.includes('/logout')
        ? Promise.resolve(new Response(null, { status: 204 }))
        : new Promise((resolve) => {
            arrive = () => resolve(new Response(sessionOf('ann', 3600)));
          });
    stored[storageKey] = sessionOf('ann', 30);
    const { local } = await load();
    await vi.advanceTimersByTimeAsync(1000);
    local.endLocalSession({ revoke: false });
    arrive();
    await vi.advanceTimersByTimeAsync(5000);
    expect(stored).toEqual({});
  });

  it('is refreshed after one failed attempt also on a connection with a long delay', async () => {
    let attempts = 0;
    respond = async () => {
      attempts += 1;
      const isFirst = attempts === 1;
      await new Promise((resolve) => setTimeout(resolve, 900));
      return isFirst ? new Response('{}', { status: 503 }) : new Response(sessionOf('new', 3600));
    };
    stored[storageKey] = sessionOf('ann', -10);
    const { current } = await load();
    await vi.advanceTimersByTimeAsync(950);
    const session = current.getCurrentSession();
    await vi.advanceTimersByTimeAsync(5000);
    await expect(session).resolves.toMatchObject({ refresh_token: 'refresh new' });
  });
});
