/**
 * The servers of a DATABASE_URL with several hosts. New connections lead to one of them until it does not respond, refuses
 * connections or does not accept writes. Then the next one is tried, as libpq does for each connection.
 */
import pg from 'pg';
import { type ClientSettings, withNewConnection } from './client.ts';
import { DatabaseUnavailableError } from './errors.ts';

/** SQLSTATE cannot_connect_now: the server starts, stops or recovers. */
const cannotConnectNow = '57P03';

/**
 * Returns true if the next server can be better: this one was not reached, or it rejects writes. Wrong credentials and a
 * server without a free connection are the same everywhere, or pass.
 */
const isServerUnusable = (error: unknown): boolean => {
  if (!(error instanceof DatabaseUnavailableError)) return false;
  if (error.reason === 'read-only') return true;
  if (error.reason === 'pool') return false;
  return !(error.cause instanceof pg.DatabaseError) || error.cause.code === cannotConnectNow;
};

export class ServerList {
  readonly #client: ClientSettings;
  readonly #urls: readonly string[];

  /**
   * @param client settings of all connections, whose `connectionString` becomes that of the present server
   * @param urls connection URIs with one host each
   */
  constructor(client: ClientSettings, urls: readonly string[]) {
    this.#client = client;
    this.#urls = urls;
  }

  get count(): number {
    return Math.max(this.#urls.length, 1);
  }

  /** Connection URI of the present server. */
  get current(): string | undefined {
    return this.#client.connectionString;
  }

  /**
   * Leads new connections to the next server if the error permits it. Returns false if it does not, or if there is only one.
   *
   * @param failed the server with this error. If another attempt has left it already, nothing changes
   */
  leave(failed: string | undefined, error: unknown): boolean {
    if (this.count === 1 || !isServerUnusable(error)) return false;
    if (this.current === failed) this.#use(this.#inTurn()[1]);
    return true;
  }

  /**
   * Opens a connection outside the pool to each server in turn, beginning with the present one, until `work` returns a
   * suitable result. New connections then lead to that server.
   *
   * @param timeoutMs maximum time to connect to one server, in milliseconds
   * @returns the suitable result, or else that of the last server
   * @throws DatabaseUnavailableError if the last server does not respond
   */
  async ask<T>(
    timeoutMs: number,
    work: (client: pg.Client) => Promise<T>,
    isSuitable: (result: T) => boolean,
  ): Promise<T> {
    const urls = this.#inTurn();
    for (const [index, url] of urls.entries()) {
      const isLast = index === urls.length - 1;
      try {
        const result = await withNewConnection(this.#settingsFor(url), timeoutMs, work);
        const suits = isSuitable(result);
        if (suits) this.#use(url);
        if (suits || isLast) return result;
      } catch (error) {
        if (isLast || !isServerUnusable(error)) throw error;
      }
    }
    throw new DatabaseUnavailableError('DATABASE_URL names no server');
  }

  #settingsFor(url: string | undefined): ClientSettings {
    return url === undefined ? this.#client : { ...this.#client, connectionString: url };
  }

  #use(url: string | undefined): void {
    this.#client.connectionString = url;
  }

  /** The present server, then those after it in the URL, then those before it. */
  #inTurn(): readonly (string | undefined)[] {
    const { current } = this;
    const index = current === undefined ? -1 : this.#urls.indexOf(current);
    return index < 0 ? [current] : [...this.#urls.slice(index), ...this.#urls.slice(0, index)];
  }
}
