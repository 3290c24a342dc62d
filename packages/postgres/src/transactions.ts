/** Transactions of several round trips. */
import type pg from 'pg';
import type { Statement, Transaction } from './database.ts';
import { withResultTimeout, withClient } from './connection.ts';
import { rethrowTranslated } from './errors.ts';

const clientOf = new WeakMap<Transaction, pg.PoolClient>();

/** @param limit of each answer, in milliseconds */
export function createTransaction(client: pg.PoolClient, limit: number | undefined): Transaction {
  const tx: Transaction = {
    async query<Row extends object>(statement: Statement): Promise<Row[]> {
      const result = await withResultTimeout(
        client,
        limit,
        client.query<Row & pg.QueryResultRow>(statement.text, [...statement.values]),
      );
      return result.rows;
    },
  };
  clientOf.set(tx, client);
  return tx;
}

type RunTransaction = <T>(work: (tx: Transaction) => Promise<T>, limit: number | undefined) => Promise<T>;

/** @returns runs `work` between BEGIN and COMMIT; `limit` bounds each answer in milliseconds. */
export const createTransactionRunner =
  (pool: pg.Pool, onConnectionError: (error: Error) => void): RunTransaction =>
  async (work, limit) =>
    withClient(pool, async (client) => {
      await withResultTimeout(client, limit, client.query('begin'));
      try {
        const result = await work(createTransaction(client, limit));
        await withResultTimeout(client, limit, client.query('commit'));
        return result;
      } catch (error) {
        await withResultTimeout(client, limit, client.query('rollback')).catch(onConnectionError);
        throw error;
      }
    });

/** Several statements without parameters inside a transaction. */
export async function runScript(tx: Transaction, text: string): Promise<void> {
  const client = clientOf.get(tx);
  if (!client) throw new Error('script() needs a transaction of this database');
  await client.query(text).catch(rethrowTranslated);
}
