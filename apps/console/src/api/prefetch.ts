/**
 * Sends requests from `console-boot.ts`, while the application bundle loads. The first identical request of
 * `sendWithSession` uses the response. Small, because the boot script contains it.
 */

/** Headers that change the response. They are part of the identity of a request, besides its URL and its token. */
const comparedHeaders = ['Accept', 'Prefer'] as const;

export interface PrefetchRead {
  /** Path and query below `/rest/v1`. */
  readonly path: string;
  readonly headers: Readonly<Partial<Record<(typeof comparedHeaders)[number], string>>>;
}

interface PrefetchedResponse {
  /** Absolute, with decoded commas and parentheses. */
  readonly url: string;
  readonly headers: PrefetchRead['headers'];
  readonly token: string;
  readonly response: Promise<Response>;
}

declare global {
  interface Window {
    /**
     * Prefetched responses that no request has used yet. Global, because the boot script and the application are separate
     * bundles.
     */
    prefetchedResponses?: PrefetchedResponse[];
  }
}

/** Unused responses are discarded after this time. */
const ttlMs = 15_000;

interface PrefetchOptions {
  readonly token: string;
  readonly anonKey: string;
  /** Base URL of the service, the only host that receives the token. */
  readonly backend: string;
}

/** Sends the requests. `takePrefetchedResponse` returns their responses. */
export const prefetch = (
  reads: readonly PrefetchRead[],
  { token, anonKey, backend }: PrefetchOptions,
): void => {
  const unused = reads.map(({ path, headers }): PrefetchedResponse => {
    const url = `${backend}/rest/v1${path}`;
    const response = fetch(url, {
      headers: { ...headers, apikey: anonKey, Authorization: `Bearer ${token}` },
      // A request without a response must not keep one of the browser's few connections.
      signal: AbortSignal.timeout(ttlMs),
    });
    // Prevents an unhandled rejection. takePrefetchedResponse handles the error.
    response.catch(() => undefined);
    return { url, headers, token, response };
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
  if (unused.length === 0 || (init?.method ?? 'GET') !== 'GET') return null;
  // The client of the Data API encodes commas and parentheses.
  const decodedUrl = decodeURIComponent(String(url));
  const headers = new Headers(init?.headers);
  const index = unused.findIndex(
    (candidate) =>
      candidate.url === decodedUrl &&
      candidate.token === token &&
      comparedHeaders.every((name) => headers.get(name) === (candidate.headers[name] ?? null)),
  );
  if (index === -1) return null;
  const [match] = unused.splice(index, 1);
  const response = (await match?.response.catch(() => null)) ?? null;
  init?.signal?.throwIfAborted();
  return response;
};
