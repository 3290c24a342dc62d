/**
 * A pool of `pg` connections with a maximum lifetime. A connection leads to the server that its address named when it
 * was opened, and keeps the defaults of that time, so connections are replaced regularly and after a failover.
 */
import pg from 'pg';
import { DatabaseUnavailableError, toDatabaseError } from './errors.ts';

/** Maximum age of a connection to an external server, in milliseconds. */
const defaultMaxLifetimeMs = 300_000;
/** Lifetimes differ by up to this share, so that connections opened together are not replaced together. */
const jitter = 0.4;
/** Maximum wait until a replaced connection is closed, in milliseconds. */
const closeTimeoutMs = 1000;

/** Returns a random lifetime in milliseconds. */
export const randomLifetimeMs = (maxLifetimeMs = defaultMaxLifetimeMs): number =>
  maxLifetimeMs * (1 - jitter * Math.random());

export interface ConnectionPoolOptions extends pg.PoolConfig {
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
  readonly #onConnectionError: (error: Error) => void;

  constructor({ maxLifetimeMs, onConnectionError, ...config }: ConnectionPoolOptions) {
    this.#onConnectionError = onConnectionError;
    this.pool = new pg.Pool(config);
    // Without these handlers a lost connection, idle or in use, would crash the process.
    this.pool.on('error', onConnectionError);
    this.pool.on('connect', (client) => {
      client.on('error', onConnectionError);
      const openedAt = performance.now();
      this.#ages.set(client, { openedAt, expiresAt: openedAt + randomLifetimeMs(maxLifetimeMs) });
    });
    this.pool.on('remove', (client) => this.#ages.delete(client));
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
      const client = await this.pool.connect().catch((error: unknown) => {
        const translated = toDatabaseError(error, 'connecting');
        // A pool without a free connection means load, not a loss.
        if (translated instanceof DatabaseUnavailableError && translated.reason === 'connection')
          this.#onConnectionError(translated);
        throw translated;
      });
      if (!this.isStale(client)) return client;
      // Waits, because the server counts the old connection against its limit until it is closed.
      const closed = new Promise<void>((resolve) => {
        client.once('end', resolve);
        setTimeout(resolve, closeTimeoutMs).unref();
      });
      client.release(true);
      await closed;
    }
  }

  /** @param broken true closes the connection */
  release(client: pg.PoolClient, broken: boolean): void {
    client.release(broken || this.isStale(client));
  }
}
