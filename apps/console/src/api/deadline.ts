/**
 * Time limits of requests. A connection can accept a request and never answer, or stop in the middle of a response;
 * the browser waits for minutes. `AbortSignal.any` is missing in browsers that the console supports.
 */
import { ApiError, timeoutCode, timeoutMessage } from './errors.ts';

/** Milliseconds until a read has its complete response. Its error is on the screen within 15 seconds. */
export const readTimeoutMs = 14_000;
/** Milliseconds until a change has its complete response. Its error is on the screen within 30 seconds. */
export const changeTimeoutMs = 28_000;

/** Bytes per second that an upload has on the slowest line that the console supports. */
const slowestUpload = 4096;

const isRead = (method = 'GET'): boolean => ['GET', 'HEAD'].includes(method.toUpperCase());

/** Returns the time limit of a request in milliseconds: long bodies of imports get more time. */
export const timeoutFor = ({ method, body }: RequestInit = {}): number => {
  if (isRead(method)) return readTimeoutMs;
  const uploadSeconds = typeof body === 'string' ? Math.floor(body.length / slowestUpload) : 0;
  return changeTimeoutMs + uploadSeconds * 1000;
};

export const timeoutError = (): ApiError =>
  new ApiError({ kind: 'network', code: timeoutCode, message: timeoutMessage });

export interface Deadline {
  /** Aborts after the time limit, and when the signal of the caller aborts. */
  readonly signal: AbortSignal;
  /** Starts the time limit again, for example when a part of a long response has arrived. */
  readonly restart: () => void;
  /** Rejects when the deadline ends before the work. The work itself goes on. */
  readonly wait: <Result>(work: Promise<Result>) => Promise<Result>;
  readonly stop: () => void;
}

/**
 * Starts a time limit.
 *
 * @param timeoutMs milliseconds
 * @param caller signal of the caller
 */
export const startDeadline = (timeoutMs: number, caller?: AbortSignal | null): Deadline => {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (): void => controller.abort(caller?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(timeoutError()), timeoutMs);
  };
  if (caller?.aborted === true) abort();
  else caller?.addEventListener('abort', abort);
  restart();
  return {
    signal,
    restart,
    wait: (work) =>
      new Promise((resolve, reject) => {
        const end = (): void => reject(signal.reason as Error);
        if (signal.aborted) end();
        else signal.addEventListener('abort', end);
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
      }),
    stop: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
};

/** Statuses whose response has no body. The constructor of `Response` rejects one. */
const withoutBody = new Set([204, 205, 304]);

/** Reads the whole body before the deadline, so that no later step can wait for it. */
const readWhole = async (response: Response): Promise<Response> => {
  const { status, statusText, headers } = response;
  const body = withoutBody.has(status) ? null : await response.arrayBuffer();
  return new Response(body, { status, statusText, headers });
};

/**
 * Like `fetch`, with a deadline for the headers only.
 *
 * @throws ApiError with `timeoutCode` after the time limit
 * @throws the reason of the caller's signal if it aborts
 */
export const fetchHeaders = (
  deadline: Deadline,
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> => deadline.wait(fetch(input, { ...init, signal: deadline.signal }));

/** Like `fetchHeaders`, but the response is complete. */
export const fetchWhole = async (
  deadline: Deadline,
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> => deadline.wait(readWhole(await fetchHeaders(deadline, input, init)));

/** Completes a response that was requested elsewhere. */
export const completeBefore = (deadline: Deadline, response: Response): Promise<Response> =>
  deadline.wait(readWhole(response));
