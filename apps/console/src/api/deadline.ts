/**
 * Time limits of requests. A connection can accept a request and never answer, or stop in the middle of a response;
 * the browser waits for minutes. `AbortSignal.any` is missing in browsers that the console supports.
 */
import { isReadingFunction } from '@lanternrock/contract/functions';
import { ApiError, timeoutCode, timeoutMessage } from './errors.ts';
import { observeServerTime } from './server-clock.ts';

/** Milliseconds until a read has its complete response. Its error is on the screen within 15 seconds. */
export const readTimeoutMs = 14_000;
/** Milliseconds until a change has its complete response. Its error is on the screen within 30 seconds. */
export const changeTimeoutMs = 28_000;

/** Bytes per second that an upload has on the slowest connection that the console supports. */
const slowestUpload = 4096;

/** Returns true for a request that changes nothing. */
export const isRead = (url: RequestInfo | URL, method = 'GET'): boolean =>
  ['GET', 'HEAD'].includes(method.toUpperCase()) ||
  isReadingFunction(/\/functions\/v1\/(.*)$/.exec(String(url))?.[1] ?? '');

/** Returns the time limit of a request in milliseconds: long bodies of imports get more time. */
export const timeoutFor = (url: RequestInfo | URL, { method, body }: RequestInit = {}): number => {
  if (isRead(url, method)) return readTimeoutMs;
  const uploadSeconds = typeof body === 'string' ? Math.floor(body.length / slowestUpload) : 0;
  return changeTimeoutMs + uploadSeconds * 1000;
};

export const timeoutError = (): ApiError =>
  new ApiError({ kind: 'network', code: timeoutCode, message: timeoutMessage });

/**
 * Returns the result of `work`, or rejects with `createError()` after a timeout. Does not cancel the work.
 *
 * @param timeoutMs milliseconds
 */
export const withTimeout = <Result>(
  work: Promise<Result>,
  timeoutMs: number,
  createError: () => Error,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createError()), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

export interface Deadline {
  /** Aborts after the time limit, and when the signal of the caller aborts. */
  readonly signal: AbortSignal;
  /** Starts the time limit again, for example when a part of a long response has arrived. */
  readonly restart: () => void;
}

/**
 * Runs a call with a time limit. It rejects at the limit also if a part of the call cannot be aborted.
 *
 * @param timeoutMs milliseconds
 * @param caller signal of the caller
 * @throws ApiError with `timeoutCode` after the time limit
 * @throws the reason of the caller's signal if it aborts
 */
export const withDeadline = <Result>(
  timeoutMs: number,
  caller: AbortSignal | null | undefined,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (): void => controller.abort(caller?.reason);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(timeoutError()), timeoutMs);
    };
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    if (caller?.aborted === true) abort();
    else caller?.addEventListener('abort', abort);
    restart();
    work({ signal, restart })
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        caller?.removeEventListener('abort', abort);
      });
  });

let pendingChanges = 0;

/** Returns true while a request that changes something waits for its response. */
export const isChanging = (): boolean => pendingChanges > 0;

/** Like `fetch`, until the deadline. */
export const fetchHeaders = async (
  { signal }: Deadline,
  url: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> => {
  const weight = isRead(url, init?.method) ? 0 : 1;
  pendingChanges += weight;
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { ...init, signal });
    observeServerTime(response, startedAt);
    return response;
  } finally {
    pendingChanges -= weight;
  }
};

/** Statuses whose response has no body. The constructor of `Response` rejects one. */
const withoutBody = new Set([204, 205, 304]);

/** Reads the whole body, so that no later step can wait for it. */
export const readWhole = async (response: Response): Promise<Response> => {
  const { status, statusText, headers } = response;
  const body = withoutBody.has(status) ? null : await response.arrayBuffer();
  return new Response(body, { status, statusText, headers });
};

/** Like `fetchHeaders`, but the response is complete. */
export const fetchWhole = async (...request: Parameters<typeof fetchHeaders>): Promise<Response> =>
  readWhole(await fetchHeaders(...request));
