/** Limits the database calls of one user that run at the same time, so that other users wait for few of them. */
import { retryAfterSeconds } from '@lanternrock/postgres/errors';
import { RestError } from '../errors.ts';
import type { RestRequest } from '../rest-types.ts';

/** Maximum number of running calls of a user. A browser opens at most six connections, so two windows rarely wait. */
const maxRunningCalls = 8;

/** Maximum number of waiting calls of a user, because each uses memory. */
const maxWaitingCalls = 200;

/** Maximum wait of a call, in milliseconds. Clients and proxies wait longer. */
const maxWaitMs = 10_000;

interface Calls {
  running: number;
  /** Start the waiting calls, oldest first. */
  readonly waiting: Set<() => void>;
}

export class CallLimit {
  /** Calls by user ID, of the users who have any. */
  readonly #calls = new Map<string, Calls>();

  /**
   * Runs a call when fewer than `maxRunningCalls` others of the user are running.
   *
   * @param userId null for `service_role` and anonymous clients: without a limit
   * @param onClientAbort registers a listener for the client's disconnect; undefined if the call runs without it
   * @throws RestError 429 with Retry-After if `maxWaitingCalls` calls of the user are waiting, after `maxWaitMs`, and if
   *   the client disconnects during the wait; errors of `call`
   */
  async run<Result>(
    userId: string | null,
    onClientAbort: RestRequest['onClientAbort'] | undefined,
    call: () => Promise<Result>,
  ): Promise<Result> {
    if (userId === null) return call();
    const calls = this.#calls.get(userId) ?? { running: 0, waiting: new Set() };
    this.#calls.set(userId, calls);
    if (calls.running < maxRunningCalls) calls.running += 1;
    else await waitForTurn(calls.waiting, onClientAbort);
    try {
      return await call();
    } finally {
      const [next] = calls.waiting;
      // The next call replaces the completed one, so the number of running calls stays the same.
      if (next) next();
      else if (calls.running > 1) calls.running -= 1;
      else this.#calls.delete(userId);
    }
  }
}

/** Waits until `run` of an earlier call starts this one. */
async function waitForTurn(
  waiting: Calls['waiting'],
  onClientAbort: RestRequest['onClientAbort'] | undefined,
): Promise<void> {
  if (waiting.size >= maxWaitingCalls) throw tooManyCallsError();
  await new Promise<void>((resolve, reject) => {
    let removeListener: (() => void) | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      removeListener?.();
      waiting.delete(start);
      settle();
    };
    const start = (): void => end(resolve);
    const giveUp = (): void => end(() => reject(tooManyCallsError()));
    const timer = setTimeout(giveUp, maxWaitMs);
    waiting.add(start);
    removeListener = onClientAbort?.(giveUp);
  });
}

const tooManyCallsError = (): RestError =>
  new RestError(429, '429', 'Too many requests of this user are waiting', {
    hint: 'Wait for the responses before you send more requests.',
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
