/** Limits the database calls of one user that run at the same time, so that others wait for few of them. */
import { RestError } from '../errors.ts';
import type { RestRequest } from '../rest-types.ts';

/** A browser has at most six connections to a server, so two windows rarely wait. */
const maxRunning = 8;

/** Bounds memory. */
const maxWaiting = 200;

/** Clients and proxies wait longer. */
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
   * Runs a call when fewer than 8 others of the user are running.
   *
   * @param userId null for `service_role` and anonymous clients: without a limit
   * @param onClientAbort of a call that is not needed without its client
   * @throws RestError 429 with Retry-After if 200 calls of the user are waiting, after ten seconds of waiting, and if the
   *   client has left; errors of `call`
   */
  async run<Result>(
    userId: string | null,
    onClientAbort: RestRequest['onClientAbort'] | undefined,
    call: () => Promise<Result>,
  ): Promise<Result> {
    if (userId === null) return call();
    const calls = this.#calls.get(userId) ?? { running: 0, waiting: new Set() };
    this.#calls.set(userId, calls);
    if (calls.running < maxRunning) calls.running += 1;
    else await waitIn(calls.waiting, onClientAbort);
    try {
      return await call();
    } finally {
      const [next] = calls.waiting;
      // The call that ends passes its place on.
      if (next) next();
      else if (calls.running > 1) calls.running -= 1;
      else this.#calls.delete(userId);
    }
  }
}

async function waitIn(
  waiting: Calls['waiting'],
  onClientAbort: RestRequest['onClientAbort'] | undefined,
): Promise<void> {
  if (waiting.size >= maxWaiting) throw tooManyCallsError();
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
    headers: { 'Retry-After': '1' },
  });
