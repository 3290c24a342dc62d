/** Ensures that only one worker has a directory open: two engines would silently overwrite each other's rows. */
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
   * @throws DatabaseUnavailableError after `close`
   */
  get(): Promise<W>;
  readonly current: W | undefined;
  /** Number of workers started. */
  readonly starts: number;
  /**
   * Prevents further starts, because the directory lock is about to be released. Waits for a pending start and returns
   * the current worker, which the caller must close.
   */
  close(): Promise<W | undefined>;
}

/** @param start starts a worker. It can take longer than the connection timeout; concurrent `get` calls share it. */
export function createSingleWorker<W extends Replaceable>(start: () => Promise<W>): SingleWorker<W> {
  let current: W | undefined;
  let starts = 0;
  let starting: Promise<W> | undefined;
  let closed = false;
  const replace = async (): Promise<W> => {
    if (closed) throw new DatabaseUnavailableError('The embedded database is closed.');
    if (current?.unused) return current;
    await current?.terminate();
    current = await start();
    starts += 1;
    return current;
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
      await starting?.catch(() => {});
      return current;
    },
  };
}
