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

/** Runs `action` on the service and lists its work, without bound values. No other request may run. */
export async function recordQueries(
  { database, hasher, outbox }: RecordedService,
  action: () => Promise<unknown>,
): Promise<string[]> {
  await outbox?.idle();
  const work: string[] = [];
  const recording = (tx: Transaction): Transaction => ({
    query: <Row extends object>(statement: Statement) => {
      work.push(statement.text);
      return tx.query<Row>(statement);
    },
  });
  const before = { query: database.query, transaction: database.transaction };
  const hashing = { hash: hasher.hash, verify: hasher.verify };
  const wake = outbox?.wake;
  const watchedDatabase: Pick<Database, 'query' | 'transaction'> = {
    query: (statement) => recording({ query: before.query }).query(statement),
    transaction: async (run) => {
      work.push('begin');
      try {
        const result = await before.transaction((tx) => run(recording(tx)));
        work.push('commit');
        return result;
      } catch (error) {
        work.push('rollback');
        throw error;
      }
    },
  };
  const watchedHasher: Pick<PasswordHasher, 'hash' | 'verify'> = {
    hash: (password) => {
      work.push('hash a password');
      return hashing.hash(password);
    },
    verify: (...args) => {
      work.push('verify a password');
      return hashing.verify(...args);
    },
  };
  Object.assign(database, watchedDatabase);
  Object.assign(hasher, watchedHasher);
  if (outbox) outbox.wake = () => {};
  try {
    await action();
  } finally {
    if (outbox && wake) outbox.wake = wake;
    Object.assign(database, before);
    Object.assign(hasher, hashing);
  }
  return work;
}

/** True for the work of a counted request, false for that of timers. */
const isCounted = new AsyncLocalStorage<true>();

/**
 * Lists the statements of one request in every form in which the service sends them, without bound values.
 */
export async function countStatements(
  { database }: Pick<RecordedService, 'database'>,
  action: () => Promise<unknown>,
): Promise<string[]> {
  const texts: string[] = [];
  const count = (...statements: readonly Statement[]): void => {
    if (isCounted.getStore()) texts.push(...statements.map(({ text }) => text));
  };
  const before = { query: database.query, transaction: database.transaction, batch: database.batch };
  const counting: Pick<Database, keyof typeof before> = {
    query: (statement) => {
      count(statement);
      return before.query(statement);
    },
    batch: (statements, options) => {
      // The schema cache reloads at most once in five seconds, for any number of rejected requests.
      if (!statements[0]?.text.includes('plan_cache_mode')) count(...statements);
      return before.batch(statements, options);
    },
    transaction: (run) =>
      before.transaction((tx) =>
        run({
          query: (statement) => {
            count(statement);
            return tx.query(statement);
          },
        }),
      ),
  };
  Object.assign(database, counting);
  try {
    await isCounted.run(true, action);
  } finally {
    Object.assign(database, before);
  }
  return texts;
}
