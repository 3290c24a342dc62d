/**
 * Implements `Database` with a pool of `pg` clients. The embedded engine uses a pool of one connection, whose stream
 * leads to a worker thread instead of a socket.
 */
import type pg from 'pg';
import { readPrimary, watchAddress } from './address-watch.ts';
import { runBatch } from './batch.ts';
import { cancelStatement, findProcessId, type ClientSettings } from './client.ts';
import { withClient } from './connection.ts';
import { closeWithin, withResultTimeout, wireConnection } from './wire-connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { ConnectionTarget } from './connection-url.ts';
import type { BatchResult, Database, Transaction } from './database.ts';
import {
  DatabaseUnavailableError,
  duplicateStatement,
  OperationalError,
  type StalePlanError,
} from './errors.ts';
import { discardPlans } from './pipeline.ts';
import { detectPooling, type Pooling } from './pooling.ts';
import { applySessionSettings, requireDefaults } from './session-settings.ts';
import { ServerList } from './server-list.ts';
import { createSharedReads, type SharedReads } from './shared-reads.ts';
import { timestampsAsDates } from './timestamps.ts';
import { runScript, createTransaction, createTransactionRunner } from './transactions.ts';
import { requireWritableServer, type ReadOnlyReason, WriteWatch } from './write-watch.ts';

export interface PoolOptions {
  readonly engine: Database['engine'];
  readonly client: ClientSettings;
  /** Omitted for the embedded engine. */
  readonly target?: ConnectionTarget;
  readonly size: number;
  /** Maximum wait for an available connection, in milliseconds. */
  readonly connectionTimeoutMs: number;
  readonly onConnectionError: (error: Error) => void;
  /** Called once when the server begins to reject writes, and with null when it accepts them again. */
  readonly onReadOnly?: (reason: ReadOnlyReason | null) => void;
  /** Called when connections lead to another server. */
  readonly onMoved?: () => void;
  /** Maximum age of a connection, in milliseconds. Default: five minutes. */
  readonly maxLifetimeMs?: number;
  /** Maximum wait for a result, in milliseconds. Omitted for the embedded engine, which has a watchdog. */
  readonly resultTimeoutMs?: number;
  /** Runs long work while the watchdog of the embedded engine is suspended. */
  readonly withoutTimeout?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Maximum wait of `close` for running statements, in milliseconds. Default: `resultTimeoutMs`. */
  readonly closeTimeoutMs?: number;
  readonly onClose?: () => Promise<void>;
}

/** Minimum size of a pool that reserves one connection for shared reads. */
const minSizeForSharing = 3;

interface Connected {
  readonly servers: ServerList;
  readonly connections: ConnectionPool;
  readonly server: ServerInfo;
  readonly pooling: Pooling;
}

interface ServerInfo {
  readonly superuser: boolean;
  readonly version: number;
}

interface Probe extends ServerInfo {
  /** False if the process ID is not that of the backend: a pooler has replaced it. */
  readonly direct: boolean;
  readonly encoding: string;
}

/** Oldest version of Postgres that the migrations support. */
const minVersion = 150_000;

/**
 * Returns the maximum time of a statement in milliseconds, 0 without a limit. The server ends a statement before this
 * process gives up its connection: a server process that waits for a lock does not notice that its client is gone.
 */
const statementTimeout = (resultTimeoutMs: number | undefined): number =>
  resultTimeoutMs === undefined ? 0 : Math.round(resultTimeoutMs - Math.min(1000, resultTimeoutMs / 10));

const noPooler: Pooling = { mode: 'none', keepsStatements: true };

/** Opens the pool and reads the properties of the server on its first connection. */
async function connect(options: PoolOptions): Promise<Connected> {
  const servers = new ServerList(options.client, options.target, options.onMoved ?? (() => {}));
  const connections = new ConnectionPool({
    client: options.client,
    servers,
    tls: options.target,
    types: timestampsAsDates,
    max: options.size,
    idleTimeoutMillis: options.engine === 'embedded' ? 0 : 30_000,
    connectionTimeoutMillis: options.connectionTimeoutMs,
    // An open database keeps the process running.
    allowExitOnIdle: false,
    onConnectionError: options.onConnectionError,
    maxLifetimeMs: options.engine === 'embedded' ? Number.POSITIVE_INFINITY : options.maxLifetimeMs,
  });

  try {
    const server = await readServer(connections, options);
    const isDirect = options.engine === 'embedded' || server.direct;
    const pooling = isDirect ? noPooler : await detectPooling(options.client);
    if (options.target)
      await setUpSessions(connections, options.target, pooling, statementTimeout(options.resultTimeoutMs));
    return { servers, connections, server, pooling };
  } catch (error) {
    await connections.pool.end();
    throw error;
  }
}

type ServerRow = Omit<Probe, 'direct'> & { readonly pid: number };

/** The time-out of the database can be too short for a query that reads the catalog for the first time. */
const serverQuery = `begin;
  set local statement_timeout = 0;
  select rolsuper as superuser, current_setting('server_version_num')::int as version,
         current_setting('server_encoding') as encoding, pg_catalog.pg_backend_pid() as pid
    from pg_catalog.pg_roles where rolname = session_user;
  commit`;

/** @throws OperationalError if the version or the encoding is not supported */
async function readServer(
  connections: ConnectionPool,
  { engine, resultTimeoutMs }: PoolOptions,
): Promise<Probe> {
  const server = await withClient(connections, async (client) => {
    // A simple query with several statements has one result each.
    const reading = client.query(serverQuery) as unknown as Promise<readonly pg.QueryResult<ServerRow>[]>;
    const row = (await withResultTimeout(client, resultTimeoutMs, reading))[2]?.rows[0];
    return row && { ...row, direct: row.pid === findProcessId(client) };
  });
  if (!server) throw new DatabaseUnavailableError('The database did not return its version.');
  if (engine === 'embedded') return server;
  if (server.version < minVersion)
    throw new OperationalError(
      `DATABASE_URL points to Postgres ${Math.floor(server.version / 10_000)}. Version 15 or newer is required.`,
    );
  if (server.encoding !== 'UTF8')
    throw new OperationalError(
      `The database of DATABASE_URL has the encoding ${server.encoding}. Create one with UTF8: create database NAME template template0 encoding 'UTF8'.`,
    );
  return server;
}

/**
 * Sets up each new connection, the first one now. Behind a pooler in transaction mode, checks what it does not keep.
 *
 * @param statementTimeoutMs maximum time of a statement, in milliseconds
 */
async function setUpSessions(
  connections: ConnectionPool,
  { requiresWrites }: ConnectionTarget,
  { mode }: Pooling,
  statementTimeoutMs: number,
): Promise<void> {
  connections.prepareWith(async (client) => {
    await applySessionSettings(client, mode, statementTimeoutMs);
    if (mode === 'transaction') await requireDefaults(client);
    if (requiresWrites) await requireWritableServer(client);
    if (mode !== 'transaction') connections.setPrimary(client, await readPrimary(client));
  });
  await withClient(connections, async () => {});
}

export interface PooledDatabase extends Omit<Database, 'snapshot'> {
  /** Reserves one connection, outside a transaction, for statements that cannot run in a transaction. */
  exclusive<T>(work: (session: Transaction) => Promise<T>): Promise<T>;
}

/** Returns the function that runs batches, and the shared connection that it uses; null without one. */
function createBatches(
  { engine, size, resultTimeoutMs, onConnectionError }: PoolOptions,
  { connections, pooling }: Connected,
  watch: WriteWatch,
): { readonly batch: Database['batch']; readonly sharedReads: SharedReads | null } {
  let named = pooling.keepsStatements;
  const cancel = async (client: pg.PoolClient): Promise<void> => {
    // The embedded engine has one session and receives no messages while a statement runs.
    if (engine === 'postgres')
      await cancelStatement(client, connections.getSettings(client), onConnectionError);
  };
  const onStalePlan = ({ code }: StalePlanError): void => {
    if (code !== duplicateStatement || !named) return;
    // The mode of the pooler has changed since it was detected.
    named = false;
    onConnectionError(new Error('The pooler shares prepared statements: they are no longer named.'));
  };
  // In transaction mode every read waits for a server connection, which sharing is meant to avoid.
  const canShare = engine === 'postgres' && size >= minSizeForSharing && pooling.mode !== 'transaction';
  const sharedReads = canShare ? createSharedReads(connections) : null;
  return {
    sharedReads,
    batch: (statements, options = {}) => {
      const runDedicated = (onResult?: (durationMs: number) => void): Promise<BatchResult[]> =>
        runBatch(watch.withConnection({ isRead: options.onClientAbort !== undefined }), statements, options, {
          resultTimeoutMs,
          cancel,
          named,
          onStalePlan,
          ...(onResult && { onResult }),
        });
      return sharedReads && named ? sharedReads.batch(statements, options, runDedicated) : runDedicated();
    },
  };
}

export async function openPool(options: PoolOptions): Promise<PooledDatabase> {
  const { resultTimeoutMs, onConnectionError } = options;
  const connected = await connect(options);
  const { servers, connections, server, pooling } = connected;
  const { pool } = connections;
  const watch = new WriteWatch({
    connections,
    servers: options.engine === 'postgres' ? servers : undefined,
    connectionTimeoutMs: options.connectionTimeoutMs,
    resultTimeoutMs,
    onReadOnly: options.onReadOnly ?? (() => {}),
  });
  const endAddressWatch =
    options.engine === 'postgres' && pooling.mode !== 'transaction'
      ? watchAddress({ connections, servers, onMoved: options.onMoved ?? (() => {}) })
      : () => {};
  const withConnection = watch.withConnection();
  const { batch, sharedReads } = createBatches(options, connected, watch);
  const runTransaction = createTransactionRunner(withConnection, onConnectionError);
  // A pooler in transaction mode does not keep the limit of the session.
  const isLimitLost = pooling.mode === 'transaction';
  const statementTimeoutMs = isLimitLost ? statementTimeout(resultTimeoutMs) : undefined;
  const transaction: Database['transaction'] = (work) =>
    runTransaction(work, { resultTimeoutMs, statementTimeoutMs });
  return {
    engine: options.engine,
    superuser: server.superuser,
    version: server.version,
    pooling: pooling.mode,
    batch,
    query: (statement) =>
      isLimitLost
        ? transaction((tx) => tx.query(statement))
        : withConnection((client) => createTransaction(client, resultTimeoutMs).query(statement)),
    requireWritable: () => withClient(connections, (client) => watch.requireWritable(client)),
    transaction,
    maintenance: (work) => {
      const run = (): ReturnType<typeof work> =>
        runTransaction(work, { resultTimeoutMs: undefined, statementTimeoutMs: 0 });
      return options.withoutTimeout ? options.withoutTimeout(run) : run();
    },
    exclusive: (work) => withConnection((client) => work(createTransaction(client, resultTimeoutMs))),
    script: runScript,
    discardPlans: () => {
      for (const client of connections.clients) discardPlans(wireConnection(client));
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      restarts: 0,
    }),
    close: async () => {
      watch.close();
      endAddressWatch();
      const closed = Promise.all([sharedReads?.close(), pool.end()]);
      await closeWithin(options.closeTimeoutMs ?? resultTimeoutMs, () => connections.clients, closed);
      await options.onClose?.();
    },
  };
}
