/**
 * Records the work of a request: its statements with their transactions, and its password hashes, in order.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Statement, Transaction } from '@lanternrock/postgres';
import type { PasswordHasher } from '../../src/passwords/hasher.ts';

interface RecordedService {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  /** The queue of a service that sends emails after the response. Its statements do not belong to a request. */
  readonly outbox?: { idle(): Promise<void>; wake(): void };
}

/** True for the work of a recorded request, false for that of timers. */
const isRecorded = new AsyncLocalStorage<true>();

/** Runs `action` on the service and lists its work, without bound values. No other recording may run. */
export async function recordQueries(
  { database, hasher, outbox }: RecordedService,
  action: () => Promise<unknown>,
): Promise<string[]> {
  await outbox?.idle();
  const work: string[] = [];
  const record = (...items: readonly string[]): void => {
    if (isRecorded.getStore()) work.push(...items);
  };
  const recording = (tx: Transaction): Transaction => ({
    query: <Row extends object>(statement: Statement) => {
      record(statement.text);
      return tx.query<Row>(statement);
    },
  });
  const before = { query: database.query, transaction: database.transaction, batch: database.batch };
  const hashing = { hash: hasher.hash, verify: hasher.verify };
  const wake = outbox?.wake;
  const watchedDatabase: Pick<Database, keyof typeof before> = {
    query: (statement) => recording({ query: before.query }).query(statement),
    batch: (statements, options) => {
      // The schema cache reloads at most once in five seconds, for any number of rejected requests.
      if (!statements[0]?.text.includes('plan_cache_mode')) record(...statements.map(({ text }) => text));
      return before.batch(statements, options);
    },
    transaction: async (run) => {
      record('begin');
      try {
        const result = await before.transaction((tx) => run(recording(tx)));
        record('commit');
        return result;
      } catch (error) {
        record('rollback');
        throw error;
      }
    },
  };
  const watchedHasher: Pick<PasswordHasher, 'hash' | 'verify'> = {
    hash: (...args) => {
      record('hash a password');
      return hashing.hash(...args);
    },
    verify: (...args) => {
      record('verify a password');
      return hashing.verify(...args);
    },
  };
  Object.assign(database, watchedDatabase);
  Object.assign(hasher, watchedHasher);
  if (outbox) outbox.wake = () => {};
  try {
    await isRecorded.run(true, action);
  } finally {
    if (outbox && wake) outbox.wake = wake;
    Object.assign(database, before);
    Object.assign(hasher, hashing);
  }
  return work;
}
