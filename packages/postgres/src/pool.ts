/**
 * `Database` over a pool of `pg` clients. The embedded engine uses the same class with one
 * connection whose stream ends in a worker thread instead of a socket.
 */
import pg from 'pg';
import { runBatch } from './batch.ts';
import {
  withResultTimeout,
  cancelStatement,
  closeWithin,
  processIdOf,
  withClient,
  wireConnection,
} from './connection.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { type BatchResult, type Database, type Transaction } from './database.ts';
import { duplicateStatement, type StalePlanError } from './errors.ts';
import { discardPlans } from './pipeline.ts';
import { detectPooling, type Pooling } from './pooling.ts';
import { createSharedReads } from './shared-reads.ts';
import { timestampsAsDates } from './timestamps.ts';
import { runScript, createTransaction, createTransactionRunner } from './transactions.ts';

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

/** Connections of a pool that can spare one for quick reads. */
const smallestShared = 3;

interface Connected {
  readonly pool: pg.Pool;
  /** Every connection of the pool, in use or not. */
  readonly clients: ReadonlySet<pg.PoolClient>;
  readonly facts: ServerFacts;
  readonly pooling: Pooling;
}

interface ServerFacts {
  readonly superuser: boolean;
  readonly version: number;
}

interface Probe extends ServerFacts {
  /** False where a pooler hands out a process id of its own. */
  readonly direct: boolean;
}

const noPooler: Pooling = { mode: 'none', keepsStatements: true };

/** Opens the pool with its first connection, which tells what the server is. */
async function connect(options: PoolOptions): Promise<Connected> {
  const pool = new pg.Pool({
    ...options.client,
    types: timestampsAsDates,
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
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));

  const probe = await withClient(pool, (client) =>
    withResultTimeout(
      client,
      options.answerLimit,
      client.query<Probe>(
        `select rolsuper as superuser, current_setting('server_version_num')::int as version,
                pg_catalog.pg_backend_pid() = $1 as direct
           from pg_catalog.pg_roles where rolname = session_user`,
        [processIdOf(client)],
      ),
    ),
  ).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const facts = probe.rows[0];
  if (!facts) throw new DatabaseUnavailableError('The database did not tell its version.');
  const direct = options.engine === 'embedded' || facts.direct;
  const pooling = direct ? noPooler : await detectPooling(options.client);
  return { pool, clients, facts, pooling };
}

export interface PooledDatabase extends Omit<Database, 'snapshot'> {
  /** Holds one connection, outside any transaction, for statements that must not run in one. */
  exclusive<T>(work: (session: Transaction) => Promise<T>): Promise<T>;
}

export async function openPool(options: PoolOptions): Promise<PooledDatabase> {
  const { answerLimit, onConnectionError } = options;
  const { pool, clients, facts, pooling } = await connect(options);
  let named = pooling.keepsStatements;
  const transaction = createTransactionRunner(pool, onConnectionError);
  const stop = async (client: pg.PoolClient): Promise<void> => {
    // The embedded engine is one session, which cannot be told anything while it works.
    if (options.engine === 'postgres') await cancelStatement(client, options.client, onConnectionError);
  };
  const onStalePlan = ({ code }: StalePlanError): void => {
    if (code !== duplicateStatement || !named) return;
    // The pooler of this connection changed its mode since the start.
    named = false;
    onConnectionError(new Error('A pooler mixes prepared statements: they are no longer named.'));
  };
  // Behind a pooler that assigns connections per transaction, waiting for them is what sharing would avoid.
  const shares =
    options.engine === 'postgres' && options.size >= smallestShared && pooling.mode !== 'transaction';
  const lane = shares ? createSharedReads(pool) : null;
  return {
    engine: options.engine,
    superuser: facts.superuser,
    version: facts.version,
    pooling: pooling.mode,
    batch: (statements, batchOptions = {}) => {
      const alone = (onAnswer?: (took: number) => void): Promise<BatchResult[]> =>
        runBatch(pool, statements, batchOptions, {
          limit: answerLimit,
          stop,
          named,
          onStalePlan,
          ...(onAnswer && { onAnswer }),
        });
      return lane && named ? lane.batch(statements, batchOptions, alone) : alone();
    },
    query: (statement) =>
      withClient(pool, (client) => createTransaction(client, answerLimit).query(statement)),
    transaction: (work) => transaction(work, answerLimit),
    maintenance: (work) => {
      const endless = Number.POSITIVE_INFINITY;
      return options.unlimited
        ? options.unlimited(() => transaction(work, endless))
        : transaction(work, endless);
    },
    exclusive: (work) => withClient(pool, (client) => work(createTransaction(client, answerLimit))),
    script: runScript,
    discardPlans: () => {
      for (const client of clients) discardPlans(wireConnection(client));
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      restarts: 0,
    }),
    close: async () => {
      const end = Promise.all([lane?.close(), pool.end()]);
      await closeWithin(answerLimit, () => clients, end);
      await options.onClose?.();
    },
  };
}
