/**
 * The servers of a DATABASE_URL with several hosts. New connections lead to one of them until it does not respond, refuses
 * connections or does not accept writes. Then the next one is tried, as libpq does for each connection.
 */
import pg from 'pg';
import { type ClientSettings, withNewConnection } from './client.ts';
import { type ConnectionTarget, explainTlsError } from './connection-url.ts';
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

type Target = Pick<ConnectionTarget, 'servers' | 'tls' | 'sslMode'>;

export class ServerList {
  readonly #client: ClientSettings;
  readonly #target: Target | undefined;
  readonly #onChange: () => void;

  /**
   * @param client settings of all connections, whose `connectionString` and `ssl` become those of the present server
   * @param target undefined for the embedded engine
   * @param onChange called after new connections lead to another server
   */
  constructor(client: ClientSettings, target: Target | undefined, onChange: () => void) {
    this.#client = client;
    this.#target = target;
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#target?.servers.length ?? 1;
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
        const result = await this.#withConnection(url, timeoutMs, work);
        const suits = isSuitable(result);
        if (suits) this.#use(url);
        if (suits || isLast) return result;
      } catch (error) {
        if (isLast || !isServerUnusable(error)) throw error;
      }
    }
    throw new DatabaseUnavailableError('DATABASE_URL names no server');
  }

  /** Connects with and without TLS as `sslmode` permits, to the present server first as to the last time. */
  async #withConnection<T>(
    connectionString: string | undefined,
    timeoutMs: number,
    work: (client: pg.Client) => Promise<T>,
  ): Promise<T> {
    const { ssl } = this.#client;
    const modes = this.#target?.tls ?? [ssl];
    const inOrder =
      connectionString === this.current ? [ssl, ...modes.filter((mode) => mode !== ssl)] : modes;
    for (const [index, mode] of inOrder.entries()) {
      try {
        return await withNewConnection({ ...this.#client, connectionString, ssl: mode }, timeoutMs, work);
      } catch (error) {
        const cause = error instanceof DatabaseUnavailableError ? error.cause : error;
        const isRefused = explainTlsError(cause, this.#target?.sslMode ?? 'disable') !== null;
        if (!isRefused || index === inOrder.length - 1) throw error;
      }
    }
    throw new DatabaseUnavailableError('sslmode permits no connection');
  }

  #use(url: string | undefined): void {
    if (url === this.current) return;
    this.#client.connectionString = url;
    if (this.#target) this.#client.ssl = this.#target.tls[0];
    this.#onChange();
  }

  /** The present server, then those after it in the URL, then those before it. */
  #inTurn(): readonly (string | undefined)[] {
    const { current } = this;
    const urls = this.#target?.servers ?? [];
    const index = current === undefined ? -1 : urls.indexOf(current);
    return index < 0 ? [current] : [...urls.slice(index), ...urls.slice(0, index)];
  }
}
