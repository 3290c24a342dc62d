/** Keeps to one engine on a directory: two of them lose each other's rows, and nothing in them notices. */
import { DatabaseUnavailableError } from '../errors.ts';

interface Replaceable {
  /** True until a connection uses it. */
  readonly fresh: boolean;
  terminate(): Promise<void>;
}

export interface SingleWorker<W extends Replaceable> {
  /** The fresh worker, or a new one after the one before has ended. @throws DatabaseUnavailableError after `end` */
  get(): Promise<W>;
  readonly current: W | undefined;
  /** How often a worker was started. */
  readonly starts: number;
  /**
   * From now on none is started: the directory's lock is about to be released. Resolves, when no start is
   * under way any more, with the worker that is left to be closed.
   */
  end(): Promise<W | undefined>;
}

/** @param start on a slow machine it takes longer than a connection waits; those who ask meanwhile share it. */
export function createSingleWorker<W extends Replaceable>(start: () => Promise<W>): SingleWorker<W> {
  let current: W | undefined;
  let starts = 0;
  let starting: Promise<W> | undefined;
  let ended = false;
  const replace = async (): Promise<W> => {
    if (ended) throw new DatabaseUnavailableError('The embedded database is closed.');
    if (current?.fresh) return current;
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
    end: async () => {
      ended = true;
      await starting?.catch(() => {});
      return current;
    },
  };
}
