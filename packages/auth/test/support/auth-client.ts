/** The published auth client against a service under test. */
import { AuthClient, type GoTrueClient } from '@supabase/auth-js';
import { siteUrl, type AuthFixture } from './start-auth.ts';

interface ClientOptions {
  /** Storage of the client. Several clients on one store behave as tabs of one browser. */
  readonly store?: Map<string, string>;
  /** The API key to send; the publishable key by default. */
  readonly key?: string;
  readonly flowType?: 'implicit' | 'pkce';
}

export function authClient(
  test: Pick<AuthFixture, 'fetch' | 'anonKey'>,
  { store = new Map(), key = test.anonKey, flowType = 'implicit' }: ClientOptions = {},
): GoTrueClient {
  return new AuthClient({
    url: `${siteUrl}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    fetch: test.fetch,
    flowType,
    autoRefreshToken: false,
    experimental: { recoveryCodes: true },
    storage: {
      getItem: (name) => store.get(name) ?? null,
      setItem: (name, value) => void store.set(name, value),
      removeItem: (name) => void store.delete(name),
    },
  });
}
