/**
 * A pool of `pg` connections with a maximum lifetime. A connection leads to the server that its address named when it
 * was opened, and keeps the defaults of that time, so connections are replaced regularly and after a failover.
 */
import pg from 'pg';
import { Client, type ClientSettings } from './client.ts';
import { type ConnectionTarget, explainTlsError } from './connection-url.ts';
import { withResultTimeout } from './connection.ts';
import { DatabaseUnavailableError, OperationalError, toDatabaseError } from './errors.ts';

/** Maximum age of a connection to an external server, in milliseconds. */
const defaultMaxLifetimeMs = 300_000;
/** Lifetimes differ by up to this share, so that connections opened together are not replaced together. */
const jitter = 0.4;
/** Maximum wait until a replaced connection is closed, in milliseconds. */
const closeTimeoutMs = 1000;

/** Returns a random lifetime in milliseconds. */
export const randomLifetimeMs = (maxLifetimeMs = defaultMaxLifetimeMs): number =>
  maxLifetimeMs * (1 - jitter * Math.random());

/** Sets up a new connection. Errors that are not of the driver must be operational ones. */
type Prepare = (client: pg.PoolClient) => Promise<void>;

export interface ConnectionPoolOptions extends Omit<pg.PoolConfig, 'ssl'> {
  /** Settings of each connection; `ssl` is changed to what the server accepts. */
  readonly client: ClientSettings;
  /** Omitted for the embedded engine. */
  readonly tls: Pick<ConnectionTarget, 'tls' | 'sslMode'> | undefined;
  readonly maxLifetimeMs: number | undefined;
  readonly onConnectionError: (error: Error) => void;
}

interface Age {
  readonly openedAt: number;
  readonly expiresAt: number;
}

export class ConnectionPool {
  readonly pool: pg.Pool;
  readonly #ages = new Map<pg.PoolClient, Age>();
  /** Connections that were opened before this time are replaced. */
  #openedSince = 0;
  readonly #options: ConnectionPoolOptions;
  #prepare: Prepare = async () => {};
  #prepared = new WeakSet<pg.PoolClient>();

  constructor(options: ConnectionPoolOptions) {
    const { client: settings, tls: _, maxLifetimeMs, onConnectionError, ...config } = options;
    this.#options = options;
    this.pool = new pg.Pool({ ...settings, ...config, Client });
    // Without these handlers a lost connection, idle or in use, would crash the process.
    this.pool.on('error', onConnectionError);
    this.pool.on('connect', (client) => {
      client.on('error', onConnectionError);
      const openedAt = performance.now();
      this.#ages.set(client, { openedAt, expiresAt: openedAt + randomLifetimeMs(maxLifetimeMs) });
    });
    this.pool.on('remove', (client) => this.#ages.delete(client));
  }

  /** Calls `prepare` once for each connection before it is used. */
  prepareWith(prepare: Prepare): void {
    this.#prepare = prepare;
    this.#prepared = new WeakSet();
  }

  /** All connections, idle or in use. */
  get clients(): Iterable<pg.PoolClient> {
    return this.#ages.keys();
  }

  /** Returns true if the connection must not be used again. */
  isStale(client: pg.PoolClient): boolean {
    const age = this.#ages.get(client);
    return !age || age.openedAt < this.#openedSince || age.expiresAt < performance.now();
  }

  /** Makes all open connections stale. Those in use are closed when they are released. */
  replaceAll(): void {
    this.#openedSince = performance.now();
  }

  /**
   * Reserves a connection that is not stale.
   *
   * @throws DatabaseUnavailableError
   */
  async acquire(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#connect().catch((error: unknown) => this.#fail(error));
      if (!this.isStale(client)) {
        await this.#prepareOnce(client);
        return client;
      }
      // Waits, because the server counts the old connection against its limit until it is closed.
      const closed = new Promise<void>((resolve) => {
        client.once('end', resolve);
        setTimeout(resolve, closeTimeoutMs).unref();
      });
      client.release(true);
      await closed;
    }
  }

  /** Connects with and without TLS as `sslmode` permits, first with what was accepted last. */
  async #connect(): Promise<pg.PoolClient> {
    const { client: settings, tls } = this.#options;
    const used = settings.ssl;
    try {
      return await this.pool.connect();
    } catch (error) {
      const other = tls?.tls.find((kind) => kind !== used);
      if (!tls || other === undefined || explainTlsError(error, tls.sslMode) === null) throw error;
      // A concurrent attempt can have changed it.
      if (settings.ssl === used) {
        settings.ssl = other;
        this.pool.options.ssl = other;
      }
      return this.pool.connect();
    }
  }

  async #prepareOnce(client: pg.PoolClient): Promise<void> {
    if (this.#prepared.has(client)) return;
    try {
      await withResultTimeout(client, this.#options.connectionTimeoutMillis, this.#prepare(client));
      this.#prepared.add(client);
    } catch (error) {
      client.release(true);
      this.#fail(error);
    }
  }

  /** Reports why there is no connection. A pool without a free connection means load, not a loss. */
  #fail(error: unknown): never {
    const translated =
      error instanceof OperationalError
        ? new DatabaseUnavailableError(error.message, 'connection', { cause: error })
        : toDatabaseError(error, 'connecting');
    if (translated instanceof DatabaseUnavailableError && translated.reason !== 'pool')
      this.#options.onConnectionError(translated);
    throw translated;
  }

  /** @param broken true closes the connection */
  release(client: pg.PoolClient, broken: boolean): void {
    client.release(broken || this.isStale(client));
  }
}
