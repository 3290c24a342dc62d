/**
 * A pool of `pg` connections with a maximum lifetime. A connection leads to the server that its address named when it
 * was opened, and keeps the defaults of that time, so connections are replaced regularly and after a failover.
 */
import pg from 'pg';
import { Client, type ClientSettings } from './client.ts';
import { type ConnectionTarget, explainTlsError } from './connection-url.ts';
import type { ServerList } from './server-list.ts';
import { withResultTimeout, wireConnection } from './wire-connection.ts';
import { DatabaseUnavailableError, OperationalError, toDatabaseError } from './errors.ts';

/** Maximum age of a connection to an external server, in milliseconds. */
const defaultMaxLifetimeMs = 300_000;
/** Lifetimes differ by up to this share, so that connections opened together are not replaced together. */
const jitter = 0.4;
/** Maximum wait until a replaced connection is closed, in milliseconds. */
const closeTimeoutMs = 1000;

/** Attempts with and without TLS, and a third one after a concurrent change. */
const maxTlsAttempts = 3;

/** Returns a random lifetime in milliseconds. */
export const randomLifetimeMs = (maxLifetimeMs = defaultMaxLifetimeMs): number =>
  maxLifetimeMs * (1 - jitter * Math.random());

/** Sets up a new connection. Errors that are not of the driver must be operational ones. */
type Prepare = (client: pg.PoolClient) => Promise<void>;

export interface ConnectionPoolOptions extends Omit<pg.PoolConfig, 'ssl'> {
  /** Settings of each connection; `ssl` is changed to what the server accepts. */
  readonly client: ClientSettings;
  readonly servers: ServerList;
  /** Omitted for the embedded engine. */
  readonly tls: Pick<ConnectionTarget, 'tls' | 'sslMode'> | undefined;
  readonly maxLifetimeMs: number | undefined;
  readonly onConnectionError: (error: Error) => void;
}

interface Age {
  readonly begunAt: number;
  readonly expiresAt: number;
}

export class ConnectionPool {
  readonly pool: pg.Pool;
  readonly #ages = new Map<pg.PoolClient, Age>();
  /** Connections that were begun before this time are replaced. */
  #replacedAt = 0;
  /** Until this time, connections are opened as the last one was accepted, with or without TLS. */
  #tlsSettledUntil = 0;
  /** Connections that are being opened or used, with the time since when. */
  readonly #busySince = new Map<pg.ClientBase, number>();
  /** The primary of each connection, or the latest one of all if it is being opened; see `readPrimary`. */
  readonly #primaries = new WeakMap<pg.ClientBase, string | null>();
  #latestPrimary: string | null = null;
  readonly #settings = new WeakMap<pg.ClientBase, ClientSettings>();
  readonly #options: ConnectionPoolOptions;
  #prepare: Prepare = async () => {};
  #prepared = new WeakSet<pg.PoolClient>();

  constructor(options: ConnectionPoolOptions) {
    const { client: settings, servers, tls: _, maxLifetimeMs, onConnectionError, ...config } = options;
    this.#options = options;
    const register = (client: pg.ClientBase): void => {
      this.#register(client);
      // Those of the server of this connection.
      this.#settings.set(client, { ...settings });
    };
    class RegisteredClient extends Client {
      constructor(clientSettings: ClientSettings = {}) {
        super({
          ...clientSettings,
          ssl: settings.ssl,
          connectionString: settings.connectionString,
          // So that there is time for the next server.
          ...(servers.count > 1 && {
            connectionTimeoutMillis: Number(config.connectionTimeoutMillis) / servers.count,
          }),
        });
        register(this);
      }
    }
    this.pool = new pg.Pool({ ...settings, ...config, ssl: undefined, Client: RegisteredClient });
    // Without these handlers a lost connection, idle or in use, would crash the process.
    this.pool.on('error', onConnectionError);
    this.pool.on('connect', (client) => {
      client.on('error', onConnectionError);
      const now = performance.now();
      // The server and its defaults are those of the time when the connection was begun.
      const begunAt = this.#busySince.get(client) ?? now;
      this.#busySince.delete(client);
      this.#ages.set(client, { begunAt, expiresAt: now + randomLifetimeMs(maxLifetimeMs) });
    });
    this.pool.on('remove', (client) => this.#ages.delete(client));
  }

  #register(client: pg.ClientBase): void {
    this.#busySince.set(client, performance.now());
    this.#primaries.set(client, this.#latestPrimary);
    client.once('end', () => this.#busySince.delete(client));
  }

  /** Calls `prepare` once for each connection before it is used. */
  prepareWith(prepare: Prepare): void {
    this.#prepare = prepare;
    this.#prepared = new WeakSet();
  }

  /** All connections: being opened, idle or in use. */
  get clients(): Iterable<pg.ClientBase> {
    return new Set([...this.#ages.keys(), ...this.#busySince.keys()]);
  }

  /** Returns the settings with which a connection was opened. */
  getSettings(client: pg.ClientBase): ClientSettings {
    return this.#settings.get(client) ?? this.#options.client;
  }

  /** Records the primary of a connection, or null if it leads to a standby. */
  setPrimary(client: pg.PoolClient, primary: string | null): void {
    this.#primaries.set(client, primary);
    this.#latestPrimary = primary ?? this.#latestPrimary;
  }

  /** Returns true if a connection has been opened or used for a time between these, in milliseconds. */
  isWaiting(minMs: number, maxMs: number): boolean {
    const now = performance.now();
    return [...this.#busySince.values()].some((since) => now - since >= minMs && now - since <= maxMs);
  }

  /** Terminates the connections to other primaries. Returns true if there were any. */
  terminateOthers(primary: string): boolean {
    const others = [...this.clients].filter((client) => (this.#primaries.get(client) ?? primary) !== primary);
    this.#latestPrimary = primary;
    const error = new Error('Connection terminated: the address of the database leads to another server');
    for (const client of others) wireConnection(client).stream.destroy(error);
    return others.length > 0;
  }

  /** Returns true if the connection must not be used again. */
  isStale(client: pg.PoolClient): boolean {
    const age = this.#ages.get(client);
    return !age || age.begunAt < this.#replacedAt || age.expiresAt < performance.now();
  }

  /** Makes all open connections stale. Those in use are closed when they are released. */
  replaceAll(): void {
    this.#replacedAt = performance.now();
    this.#tlsSettledUntil = 0;
  }

  /**
   * Reserves a connection that is not stale. Tries each server once.
   *
   * @throws DatabaseUnavailableError
   */
  async acquire(): Promise<pg.PoolClient> {
    const { servers } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const used = servers.current;
      try {
        return await this.#acquireOnce();
      } catch (error) {
        if (!servers.leave(used, error) || attempt === servers.count) throw error;
      }
    }
  }

  async #acquireOnce(): Promise<pg.PoolClient> {
    const closing: Promise<void>[] = [];
    for (;;) {
      const client = await this.#connect().catch((error: unknown) => this.#fail(error));
      if (!this.isStale(client)) {
        await this.#prepareOnce(client);
        return client;
      }
      const closed = new Promise<void>((resolve) => {
        client.once('end', resolve);
        setTimeout(resolve, closeTimeoutMs).unref();
      });
      closing.push(closed);
      client.release(true);
      // Waits before a new one is opened, because the server counts the old ones against its limit until they are closed.
      if (this.pool.idleCount === 0) await Promise.all(closing);
    }
  }

  /**
   * Connects with and without TLS as `sslmode` permits. The mode that the server accepts is used for the lifetime of a
   * connection. Then it is detected again, because another server can respond, or the server can offer TLS again.
   */
  async #connect(): Promise<pg.PoolClient> {
    const { client: settings, tls } = this.#options;
    if (tls && settings.ssl !== tls.tls[0] && this.#tlsSettledUntil < performance.now())
      this.#useTls(tls.tls[0]);
    for (let attempt = 1; ; attempt += 1) {
      const used = settings.ssl;
      try {
        return await this.pool.connect();
      } catch (error) {
        const other = tls?.tls.find((kind) => kind !== used);
        const isRefused = other !== undefined && tls && explainTlsError(error, tls.sslMode) !== null;
        // A concurrent attempt can have changed it.
        const isChanged = settings.ssl !== used;
        if (!isRefused || attempt === maxTlsAttempts || (attempt > 1 && !isChanged)) throw error;
        if (!isChanged) this.#useTls(other);
      }
    }
  }

  #useTls(kind: ClientSettings['ssl']): void {
    this.#options.client.ssl = kind;
    this.#tlsSettledUntil = performance.now() + randomLifetimeMs(this.#options.maxLifetimeMs);
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

  /** Call before a connection is used. Not for the shared one, which is reserved for long. */
  beginUse(client: pg.PoolClient): void {
    this.#busySince.set(client, performance.now());
  }

  /** @param broken true closes the connection */
  release(client: pg.PoolClient, broken: boolean): void {
    this.#busySince.delete(client);
    client.release(broken || this.isStale(client));
  }
}
