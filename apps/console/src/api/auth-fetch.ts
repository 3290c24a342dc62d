/**
 * The `fetch` of the auth client. The client knows two outcomes of a refresh, the console three: a new session, a session
 * that the service has ended, and a service that cannot be reached. The last one keeps the session.
 */
import { changeTimeoutMs, fetchWhole, startDeadline, timeoutFor } from './deadline.ts';
import { fieldOf, withJsonError } from './errors.ts';

/** Statuses with which the service ends a session. Any other one, such as 404 of a proxy, says nothing about it. */
const refusals: readonly number[] = [400, 401, 403];

/** Milliseconds until a refresh without a response counts as failed. */
const refreshTimeoutMs = 10_000;

/** Failed attempts in a row after which the service counts as unreachable. */
const unreachableAttempts = 2;
/** The client doubles the pause between attempts; after this many, the next ones follow at a fixed interval. */
const doublingAttempts = 5;
const attemptIntervalMs = 2000;

interface RefreshListeners {
  /** Called when the service has ended the session of this refresh token. */
  readonly onRefused: (refreshToken: string) => void;
  /** Called after each attempt that failed. `isUnreachable`: no response arrived, repeatedly. */
  readonly onFailed: (isUnreachable: boolean) => void;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns true for an error body of the Auth API. A proxy or a captive portal sends another one. */
const isAuthError = (body: unknown): boolean =>
  ['code', 'error_code', 'error', 'msg'].some((name) => fieldOf(body, name) !== undefined);

/**
 * Sets the expiry of a received session by the clock of this device, with which the client compares it. A device whose
 * clock is an hour ahead would otherwise refresh the session before each request.
 */
const byOwnClock = (body: unknown): unknown => {
  const seconds = fieldOf(body, 'expires_in');
  if (typeof fieldOf(body, 'access_token') !== 'string' || typeof seconds !== 'number') return body;
  return { ...(body as object), expires_at: Math.round(Date.now() / 1000) + seconds };
};

const replaceBody = ({ statusText, headers }: Response, status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, statusText, headers });

/** Waits for the interval, or until the browser reports a connection. */
const waitForLine = (): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, attemptIntervalMs);
    addEventListener('online', end);
  });

const fetchInTime = async (
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  timeoutMs: number,
): Promise<Response> => {
  const deadline = startDeadline(timeoutMs, init?.signal);
  try {
    return await fetchWhole(deadline, input, init);
  } finally {
    deadline.stop();
  }
};

export const createAuthFetch = ({ onRefused, onFailed }: RefreshListeners): typeof fetch => {
  let failedAttempts = 0;

  /** Repeats a refresh until a response arrives, at most for the time limit of a change. */
  const sendRefresh = async (input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> => {
    const end = performance.now() + changeTimeoutMs - refreshTimeoutMs;
    for (;;) {
      try {
        return await fetchInTime(input, init, refreshTimeoutMs);
      } catch (error) {
        failedAttempts += 1;
        onFailed(failedAttempts >= unreachableAttempts);
        if (failedAttempts < doublingAttempts || performance.now() > end) throw error;
        await waitForLine();
      }
    }
  };

  const refresh = async (input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> => {
    const response = await sendRefresh(input, init);
    const body = parse(await response.clone().text());
    const isSession = response.ok && typeof fieldOf(body, 'access_token') === 'string';
    if (isSession) {
      failedAttempts = 0;
      return replaceBody(response, response.status, byOwnClock(body));
    }
    if (refusals.includes(response.status) && isAuthError(body)) {
      failedAttempts = 0;
      const refreshToken = fieldOf(parse(String(init?.body)), 'refresh_token');
      if (typeof refreshToken === 'string') onRefused(refreshToken);
      return response;
    }
    onFailed(false);
    // The client keeps the session after this status only.
    const message = fieldOf(await (await withJsonError(response)).json().catch(() => undefined), 'message');
    return replaceBody(response, response.status >= 500 ? response.status : 503, { message });
  };

  return async (input, init) => {
    if (String(input).includes('/token?grant_type=refresh_token')) return refresh(input, init);
    const response = await withJsonError(await fetchInTime(input, init, timeoutFor(init)));
    const body = response.ok ? parse(await response.clone().text()) : undefined;
    const ownBody = byOwnClock(body);
    return ownBody === body ? response : replaceBody(response, response.status, ownBody);
  };
};
