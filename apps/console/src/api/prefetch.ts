/**
 * Sends the requests of the accounts screen from `console-boot.ts`, while the application bundle loads. The first
 * identical request of `sendWithSession` uses the response; a test compares the requests with those of the screen.
 */

/** Rows per page of the account list. */
export const accountsPageSize = 200;

interface Read {
  /** Path and query below `/rest/v1`. */
  readonly path: string;
  /** The headers that change the response. */
  readonly headers: Readonly<Record<string, string>>;
}

const accountsScreenReads = (userId: string): readonly Read[] => [
  {
    path: `/accounts?select=*&order=created_at.desc,id.desc&limit=${accountsPageSize}`,
    headers: { Prefer: 'count=exact' },
  },
  {
    path: `/profiles?select=*&id=eq.${userId}`,
    headers: { Accept: 'application/vnd.pgrst.object+json' },
  },
  { path: `/user_roles?select=*&user_id=eq.${userId}&role=eq.platform_admin&limit=1`, headers: {} },
  { path: `/account_members?select=*,accounts(*)&user_id=eq.${userId}&status=eq.active`, headers: {} },
];

interface PrefetchedResponse {
  /** Absolute URL. */
  readonly url: string;
  /** Access token of the request. */
  readonly token: string;
  readonly response: Promise<Response>;
}

declare global {
  interface Window {
    /** Prefetched responses that no request has used yet. */
    prefetchedResponses?: PrefetchedResponse[];
  }
}

/** Milliseconds after which unused responses are discarded. */
const ttlMs = 15_000;

interface PrefetchOptions {
  readonly userId: string;
  readonly token: string;
  readonly anonKey: string;
  /** Base URL of the service, the only host that receives the token. */
  readonly backend: string;
}

export const prefetchAccountsScreen = ({ userId, token, anonKey, backend }: PrefetchOptions): void => {
  const unused = accountsScreenReads(userId).map(({ path, headers }): PrefetchedResponse => {
    const url = `${backend}/rest/v1${path}`;
    const response = fetch(url, {
      headers: { ...headers, apikey: anonKey, Authorization: `Bearer ${token}` },
      // A connection that never answers must not keep one of the browser's few connections.
      signal: AbortSignal.timeout(ttlMs),
    });
    // Prevents an unhandled rejection. takePrefetchedResponse handles the error.
    response.catch(() => undefined);
    return { url, token, response };
  });
  window.prefetchedResponses = unused;
  setTimeout(() => {
    // An unread response body keeps its connection open.
    for (const { response } of unused.splice(0))
      void response.then(
        ({ body }) => body?.cancel(),
        () => undefined,
      );
  }, ttlMs);
};

export const hasPrefetchedResponses = (): boolean => (window.prefetchedResponses?.length ?? 0) > 0;

/**
 * Returns and removes the prefetched response for this request and token.
 *
 * @returns null if there is none or its request failed
 * @throws AbortError if `init.signal` is aborted
 */
export const takePrefetchedResponse = async (
  url: RequestInfo | URL,
  init: RequestInit | undefined,
  token: string | undefined,
): Promise<Response | null> => {
  const unused = window.prefetchedResponses ?? [];
  if (unused.length === 0) return null;
  // The client of the Data API encodes commas and parentheses.
  const decodedUrl = decodeURIComponent(String(url));
  const index = unused.findIndex((candidate) => candidate.url === decodedUrl && candidate.token === token);
  if (index === -1 || (init?.method ?? 'GET') !== 'GET') return null;
  const [match] = unused.splice(index, 1);
  const response = (await match?.response.catch(() => null)) ?? null;
  init?.signal?.throwIfAborted();
  return response;
};
