/** Limits the database calls of one user that run at the same time, so that others wait for few of them. */
import { RestError } from '../errors.ts';

/** A browser has at most six connections to a server, so two windows rarely wait. */
const maxRunning = 8;

/** Bounds memory. */
const maxWaiting = 200;

interface Calls {
  running: number;
  readonly waiting: (() => void)[];
}

export class CallLimit {
  /** Calls by user ID, of the users who have any. */
  readonly #calls = new Map<string, Calls>();

  /**
   * Runs a call when fewer than 8 others of the user are running.
   *
   * @param userId null for `service_role` and anonymous clients: without a limit
   * @throws RestError 429 with Retry-After if 200 calls of the user are waiting; errors of `call`
   */
  async run<Result>(userId: string | null, call: () => Promise<Result>): Promise<Result> {
    if (userId === null) return call();
    await this.#enter(userId);
    try {
      return await call();
    } finally {
      this.#leave(userId);
    }
  }

  async #enter(userId: string): Promise<void> {
    const calls = this.#calls.get(userId) ?? { running: 0, waiting: [] };
    this.#calls.set(userId, calls);
    if (calls.running < maxRunning) {
      calls.running += 1;
      return;
    }
    if (calls.waiting.length >= maxWaiting) throw tooManyCallsError();
    // The call that ends passes its place on.
    await new Promise<void>((resolve) => {
      calls.waiting.push(resolve);
    });
  }

  #leave(userId: string): void {
    const calls = this.#calls.get(userId);
    if (calls === undefined) return;
    const next = calls.waiting.shift();
    if (next) next();
    else if (calls.running > 1) calls.running -= 1;
    else this.#calls.delete(userId);
  }
}

const tooManyCallsError = (): RestError =>
  new RestError(429, '429', 'Too many requests of this user are waiting', {
    hint: 'Wait for the responses before you send more requests.',
    headers: { 'Retry-After': '1' },
  });
