/**
 * `Database` over a pool of `pg` clients. The embedded engine uses the same class with one
 * connection whose stream ends in a worker thread instead of a socket.
 */
import pg from 'pg';
import {
  DatabaseFailure,
  DatabaseUnavailable,
  type BatchOptions,
  type BatchResult,
  type Database,
  type Statement,
  type Transaction,
} from './database.ts';
import { forgetPlans, Pipeline, type WireConnection } from './pipeline.ts';

export interface PoolOptions {
  readonly engine: Database['engine'];
  readonly client: pg.ClientConfig;
  readonly size: number;
  /** Longest wait for a free connection, in milliseconds. */
  readonly waitLimit: number;
  readonly onConnectionError: (error: Error) => void;
  /** Longest wait for one answer in milliseconds; the embedded engine has a watchdog of its own. */
  readonly answerLimit?: number;
  /** Suspends the time limit of the embedded engine while long work runs. */
  readonly unlimited?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onClose?: () => Promise<void>;
}

/** The plan of a statement was made before the tables changed. */
const stalePlanCodes = new Set(['0A000', '26000']);

export async function openPool(options: PoolOptions): Promise<Database> {
  const pool = new pg.Pool({
    ...options.client,
    max: options.size,
    idleTimeoutMillis: options.engine === 'embedded' ? 0 : 30_000,
    connectionTimeoutMillis: options.waitLimit,
    // The service, not the pool, decides when the process ends.
    allowExitOnIdle: false,
  });
  // Without this handler a restart of Postgres ends the process.
  pool.on('error', options.onConnectionError);
  // The same for a connection that breaks while it is in use; the statement in it fails by itself.
  pool.on('connect', (client) => client.on('error', options.onConnectionError));

  const probe = await withClient(pool, (client) =>
    client.query<{ superuser: boolean; version: number }>(
      `select rolsuper as superuser, current_setting('server_version_num')::int as version
         from pg_catalog.pg_roles where rolname = session_user`,
    ),
  ).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const facts = probe.rows[0];
  if (!facts) throw new DatabaseUnavailable('The database did not tell its version.');

  const { answerLimit } = options;
  const transaction = transactions(pool, options.onConnectionError);
  return {
    engine: options.engine,
    superuser: facts.superuser,
    version: facts.version,
    batch: (statements, batchOptions) => batch(pool, answerLimit, statements, batchOptions),
    query: (statement) => withClient(pool, (client) => transactionOn(client, answerLimit).query(statement)),
    transaction: (work) => transaction(work, answerLimit),
    maintenance: (work) => {
      const endless = Number.POSITIVE_INFINITY;
      return options.unlimited
        ? options.unlimited(() => transaction(work, endless))
        : transaction(work, endless);
    },
    script: async (tx, text) => {
      const client = clientOf.get(tx);
      if (!client) throw new Error('script() needs a transaction of this database');
      await client.query(text).catch(rethrow);
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      restarts: 0,
    }),
    close: async () => {
      await pool.end();
      await options.onClose?.();
    },
  };
}

type RunTransaction = <T>(work: (tx: Transaction) => Promise<T>, limit: number | undefined) => Promise<T>;

/** @returns runs `work` between BEGIN and COMMIT; `limit` bounds each answer in milliseconds. */
const transactions =
  (pool: pg.Pool, onConnectionError: (error: Error) => void): RunTransaction =>
  async (work, limit) =>
    withClient(pool, async (client) => {
      await answered(client, limit, client.query('begin'));
      try {
        const result = await work(transactionOn(client, limit));
        await answered(client, limit, client.query('commit'));
        return result;
      } catch (error) {
        await client.query('rollback').catch(onConnectionError);
        throw error;
      }
    });

const clientOf = new WeakMap<Transaction, pg.PoolClient>();

const wireOf = (client: pg.PoolClient): WireConnection =>
  (client as unknown as { connection: WireConnection }).connection;

/** A network may lose a connection without a word: cuts one whose answer does not come. */
async function answered<T>(client: pg.PoolClient, limit: number | undefined, answer: Promise<T>): Promise<T> {
  if (limit === undefined || limit === Number.POSITIVE_INFINITY) return answer;
  const cut = (): unknown =>
    wireOf(client).stream.destroy(new Error(`Connection terminated: no answer within ${limit} ms`));
  const timer = setTimeout(cut, limit);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

function transactionOn(client: pg.PoolClient, limit: number | undefined): Transaction {
  const tx: Transaction = {
    async query<Row extends object>(statement: Statement): Promise<Row[]> {
      const result = await answered(
        client,
        limit,
        client.query<Row & pg.QueryResultRow>(statement.text, [...statement.values]),
      ).catch(rethrow);
      return result.rows;
    },
  };
  clientOf.set(tx, client);
  return tx;
}

async function batch(
  pool: pg.Pool,
  limit: number | undefined,
  statements: readonly Statement[],
  { planKey = '' }: BatchOptions = {},
): Promise<BatchResult[]> {
  const once = (): Promise<BatchResult[]> =>
    withClient(pool, (client) => {
      const answer = new Promise<BatchResult[]>((resolve, reject) => {
        client.query(
          new Pipeline(statements, planKey, (error, results) => {
            if (!error) return resolve(results);
            if (stalePlanCodes.has((error as { code?: string }).code ?? '')) forgetPlans(wireOf(client));
            reject(error);
          }),
        );
      });
      return answered(client, limit, answer);
    });
  try {
    return await once();
  } catch (error) {
    // Nothing of the batch was kept, so running it again is safe.
    if (error instanceof DatabaseFailure && stalePlanCodes.has(error.code)) return once();
    throw error;
  }
}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw asDatabaseError(error, 'connecting');
  }
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    const translated = asDatabaseError(error, 'running');
    broken = translated instanceof DatabaseUnavailable;
    throw translated;
  } finally {
    client.release(broken);
  }
}

function rethrow(error: unknown): never {
  throw asDatabaseError(error, 'running');
}

/** Driver errors become the two classes of `database.ts`; errors of the caller pass unchanged. */
function asDatabaseError(error: unknown, phase: 'connecting' | 'running'): unknown {
  if (error instanceof DatabaseFailure || error instanceof DatabaseUnavailable) return error;
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? 'XX000';
    // 57P01..57P03: the server is shutting down or starting; 53300: it has no free connection.
    if (/^57P0[123]$/.test(code) || code === '53300' || code.startsWith('08')) {
      return new DatabaseUnavailable(error.message, 'connection', { cause: error });
    }
    return new DatabaseFailure({
      message: error.message,
      code,
      details: error.detail ?? null,
      hint: error.hint ?? null,
      constraint: error.constraint ?? null,
      table: error.table ?? null,
    });
  }
  if (error instanceof Error) {
    const system = (error as NodeJS.ErrnoException).code;
    const lost = /^(Connection terminated|Client has encountered|timeout exceeded|The embedded database)/;
    if (phase === 'connecting' || lost.test(error.message) || /^E[A-Z]+$/.test(system ?? '')) {
      const reason = error.message.startsWith('timeout exceeded') ? 'pool' : 'connection';
      return new DatabaseUnavailable(error.message, reason, { cause: error });
    }
  }
  return error;
}
