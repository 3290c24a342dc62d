/**
 * Ensures that only one worker has a directory open, because two engines would silently overwrite each other's rows, and
 * limits the rate of restarts, for example while the disk is full.
 */
import { DatabaseUnavailableError } from '../errors.ts';

interface Replaceable {
  /** True until a connection is attached. */
  readonly unused: boolean;
  terminate(): Promise<void>;
}

export interface SingleWorker<W extends Replaceable> {
  /**
   * Returns the unused worker, or terminates the current one and starts another.
   *
   * @throws DatabaseUnavailableError after `close`, and for a few seconds after repeated failures
   */
  get(): Promise<W>;
  readonly current: W | undefined;
  /** Number of workers started, with those that failed to start. */
  readonly starts: number;
  /**
   * Prevents further starts, because the directory lock is about to be released. Aborts a pending start and returns the
   * current worker, which the caller must close.
   */
  close(): Promise<W | undefined>;
}

/** Milliseconds after which a worker counts as stable. */
const stableAfterMs = 10_000;
/** Delay from one start to the next, in milliseconds, by the number of consecutive workers that were not stable. */
const restartDelaysMs = [0, 0, 500, 1000, 2000];
const maxRestartDelayMs = 4000;

/**
 * @param start starts a worker. It can take longer than the connection timeout; concurrent `get` calls share it. The
 *   signal aborts it.
 */
export function createSingleWorker<W extends Replaceable>(
  start: (signal: AbortSignal) => Promise<W>,
): SingleWorker<W> {
  const aborting = new AbortController();
  let current: W | undefined;
  let starts = 0;
  let starting: Promise<W> | undefined;
  let closed = false;
  let startedAt = 0;
  let unstable = 0;
  let lastError: unknown;
  const replace = async (): Promise<W> => {
    if (closed) throw new DatabaseUnavailableError('The embedded database is closed.');
    if (current?.unused) return current;
    await current?.terminate();
    const ageMs = performance.now() - startedAt;
    // A rejected request does not change the count.
    if (starts > 0 && ageMs < (restartDelaysMs[unstable] ?? maxRestartDelayMs))
      throw lastError ?? new DatabaseUnavailableError('The embedded database was restarted repeatedly.');
    unstable = starts > 0 && ageMs < stableAfterMs ? unstable + 1 : 0;
    starts += 1;
    lastError = undefined;
    try {
      current = await start(aborting.signal);
      return current;
    } catch (error) {
      current = undefined;
      lastError = error;
      throw error;
    } finally {
      startedAt = performance.now();
    }
  };
  return {
    get: () => {
      starting ??= replace().finally(() => {
        starting = undefined;
      });
      return starting;
    },
    get current() {
      return current;
    },
    get starts() {
      return starts;
    },
    close: async () => {
      closed = true;
      aborting.abort();
      await starting?.catch(() => {});
      return current;
    },
  };
}
