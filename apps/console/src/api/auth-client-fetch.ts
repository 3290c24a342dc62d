/**
 * The `fetch` of the auth client. The client knows two outcomes of a refresh, the console three: a new session, a session
 * that the service has ended, and a service that cannot be reached. The last one keeps the session.
 */
import { changeTimeoutMs, fetchWhole, timeoutFor, withDeadline } from './deadline.ts';
import { ApiError, isJsonObject, networkError, sentenceForStatus, withJsonError } from './errors.ts';
import { findField, tryParseJson } from './json.ts';
import { waitUntilOnline } from './can-load.ts';

const refreshTimeoutMs = 10_000;

/** Failed attempts in a row after which the service counts as unreachable. */
const unreachableAttempts = 2;
/** The client doubles the pause between attempts; after this many, the next ones follow at a fixed interval. */
const doublingAttempts = 5;
const attemptIntervalMs = 2000;
/** Pause after a 429 without a time, and the longest one. */
const defaultPauseMs = 5000;
const maxPauseMs = 30_000;

interface AuthClientFetchOptions {
  /** Returns the signal that aborts the requests sent from now on, but for refreshes. */
  readonly leavingSignal: () => AbortSignal;
  /** Called when the service has ended the session of this refresh token. */
  readonly onRejected: (refreshToken: string) => void;
  /** Called after each attempt that failed. `outage`: the error to show without waiting for further attempts. */
  readonly onFailed: (outage: ApiError | null) => void;
}

/**
 * Returns true if the service rejects the refresh permanently. A proxy or a captive portal sends a page, and statuses such as
 * 407, 408, 429 and 5xx say nothing about the session.
 */
const isRejection = (status: number, body: string): boolean => {
  if (status === 400) return true;
  if (status === 401 || status === 403) return body.trim() === '' || isJsonObject(body);
  return (status === 404 || status === 422) && isJsonObject(body);
};

const parsePauseMs = ({ headers }: Response): number => {
  const seconds = Number(headers.get('Retry-After') ?? '');
  return seconds > 0 ? Math.min(seconds * 1000, maxPauseMs) : defaultPauseMs;
};

/**
 * Sets the expiry of a received session by the clock of this device, with which the client compares it. A device whose
 * clock is an hour ahead would otherwise refresh the session before each request.
 */
const withDeviceExpiry = (body: unknown): unknown => {
  const seconds = findField(body, 'expires_in');
  if (typeof findField(body, 'access_token') !== 'string' || typeof seconds !== 'number') return body;
  return { ...(body as object), expires_at: Math.round(Date.now() / 1000) + seconds };
};

const replaceBody = ({ statusText, headers }: Response, status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, statusText, headers });

export const createAuthClientFetch = ({
  leavingSignal,
  onRejected,
  onFailed,
}: AuthClientFetchOptions): typeof fetch => {
  let failedAttempts = 0;

  /** Repeats a refresh until a response arrives, at most for the time limit of a change. */
  const sendRefresh = async (input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> => {
    const end = performance.now() + changeTimeoutMs - refreshTimeoutMs;
    for (;;) {
      try {
        return await withDeadline(refreshTimeoutMs, init?.signal, (deadline) =>
          fetchWhole(deadline, input, init),
        );
      } catch (error) {
        failedAttempts += 1;
        onFailed(failedAttempts >= unreachableAttempts ? networkError(undefined) : null);
        if (failedAttempts < doublingAttempts || performance.now() > end) throw error;
        await waitUntilOnline(attemptIntervalMs);
      }
    }
  };

  const refresh = async (input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> => {
    const response = await sendRefresh(input, init);
    const text = await response.clone().text();
    const { status } = response;
    const body = tryParseJson(text);
    if (response.ok && typeof findField(body, 'access_token') === 'string') {
      failedAttempts = 0;
      return replaceBody(response, status, withDeviceExpiry(body));
    }
    if (isRejection(status, text)) {
      failedAttempts = 0;
      const refreshToken = findField(tryParseJson(String(init?.body)), 'refresh_token');
      if (typeof refreshToken === 'string') onRejected(refreshToken);
      return withJsonError(response);
    }
    if (status === 429) {
      onFailed(new ApiError({ kind: 'auth', status, message: sentenceForStatus(status) }));
      // The client would try again within a second.
      await waitUntilOnline(parsePauseMs(response));
    } else onFailed(null);
    // The client keeps the session after 503. Other statuses, such as 511 of a captive portal, can end it.
    const message = findField(await (await withJsonError(response)).json().catch(() => undefined), 'message');
    return replaceBody(response, 503, { message });
  };

  return async (input, init) => {
    if (String(input).includes('/token?grant_type=refresh_token')) return refresh(input, init);
    const response = await withDeadline(
      timeoutFor(input, init),
      init?.signal ?? leavingSignal(),
      async (deadline) => withJsonError(await fetchWhole(deadline, input, init)),
    );
    const body = response.ok ? tryParseJson(await response.clone().text()) : undefined;
    const updatedBody = withDeviceExpiry(body);
    return updatedBody === body ? response : replaceBody(response, response.status, updatedBody);
  };
};
