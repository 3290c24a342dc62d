/** Runs transactions that take several round trips. */
import type pg from 'pg';
import type { Statement, Transaction } from './database.ts';
import { type WithConnection } from './connection.ts';
import { withResultTimeout } from './wire-connection.ts';
import { rethrowTranslated } from './errors.ts';

const clients = new WeakMap<Transaction, pg.PoolClient>();

/** @param resultTimeoutMs maximum wait for each result, in milliseconds; undefined waits without a limit */
export function createTransaction(client: pg.PoolClient, resultTimeoutMs: number | undefined): Transaction {
  const tx: Transaction = {
    async query<Row extends object>(statement: Statement): Promise<Row[]> {
      const result = await withResultTimeout(
        client,
        resultTimeoutMs,
        client.query<Row & pg.QueryResultRow>(statement.text, [...statement.values]),
      );
      return result.rows;
    },
  };
  clients.set(tx, client);
  return tx;
}

/** Limits of one transaction. */
interface TransactionLimits {
  /** Maximum wait for each result, in milliseconds; undefined waits without a limit. */
  readonly resultTimeoutMs: number | undefined;
  /** Maximum time of each statement, in milliseconds, 0 without a limit; omitted for that of the session. */
  readonly statementTimeoutMs?: number | undefined;
}

type RunTransaction = <T>(work: (tx: Transaction) => Promise<T>, limits: TransactionLimits) => Promise<T>;

/** Returns a function that runs `work` between BEGIN and COMMIT. */
export const createTransactionRunner =
  (withConnection: WithConnection, onConnectionError: (error: Error) => void): RunTransaction =>
  async (work, { resultTimeoutMs, statementTimeoutMs }) =>
    withConnection(async (client) => {
      const begin =
        statementTimeoutMs === undefined
          ? 'begin'
          : `begin; set local statement_timeout = ${statementTimeoutMs}`;
      await withResultTimeout(client, resultTimeoutMs, client.query(begin));
      try {
        const result = await work(createTransaction(client, resultTimeoutMs));
        await withResultTimeout(client, resultTimeoutMs, client.query('commit'));
        return result;
      } catch (error) {
        await withResultTimeout(client, resultTimeoutMs, client.query('rollback')).catch(onConnectionError);
        throw error;
      }
    });

/** Runs several statements without parameters in a transaction. */
export async function runScript(tx: Transaction, text: string): Promise<void> {
  const client = clients.get(tx);
  if (!client) throw new Error('script() requires a transaction of this database');
  await client.query(text).catch(rethrowTranslated);
}
