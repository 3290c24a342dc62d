/** Keeps the schema cache, and the plans made with it, fresh while requests go on. */
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import type { Config } from '../../config/settings.ts';
import { ApiError } from '../../errors.ts';
import { loadSchemaCache, type SchemaCache } from './schema-cache.ts';

export interface SchemaCacheOptions {
  readonly database: Database;
  readonly config: Config;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Milliseconds between two reloads that rejected requests cause. */
const refreshInterval = 5000;

/** Codes of names and privileges that a newer catalog may contain. */
const missing = new Set(['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205', '42703', '42501']);

const reloads = new Set(['', 'reload schema', 'reload config']);

/** Milliseconds between two reloads behind a pooler that passes no notifications on. */
const pollInterval = 60_000;

/** Between the first notification and the load that follows it, in milliseconds. */
const quietTime = 100;

export class SchemaCacheManager {
  readonly #options: SchemaCacheOptions;
  readonly #listeners: (() => void)[] = [];
  #current: SchemaCache | null = null;
  #loading: Promise<void> | null = null;
  #loadedAt = 0;
  #soon: NodeJS.Timeout | null = null;

  constructor(options: SchemaCacheOptions) {
    this.#options = options;
  }

  /**
   * First load; an unreachable database does not stop the start. Afterwards `notify pgrst`, with
   * `reload schema`, `reload config` (settings of roles) or nothing, makes the catalog be read again: migration tools send it.
   * Behind a pooler in transaction mode no notification arrives, so the catalog is read once a minute.
   */
  async start(): Promise<void> {
    const { database } = this.#options;
    if (database.listen) {
      database.listen('pgrst', (payload) => {
        if (payload === null || reloads.has(payload)) this.#reloadSoon();
      });
    } else if (database.pooling === 'transaction') {
      setInterval(() => this.#reloadSoon(), pollInterval).unref();
    }
    try {
      await this.reload();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      this.#options.log.warn({ err: error }, 'the database does not answer yet; its tables are read later');
    }
  }

  /** The cache in use; null before the first load. */
  get current(): SchemaCache | null {
    return this.#current;
  }

  /** The listener hears of every catalog that differs from the one before. */
  onReload(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Requests keep using the old cache while the new one loads; calls at the same time share one load. */
  async reload(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    await this.#loading;
  }

  /** Many notifications at once, as a migration sends them, are one load. */
  #reloadSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = null;
      this.#reloadAfresh().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'the catalog could not be read again');
      });
    }, quietTime);
    this.#soon.unref();
  }

  /** A load that runs already may have read what changed before it changed. */
  async #reloadAfresh(): Promise<void> {
    await this.#loading?.catch(() => {});
    await this.reload();
  }

  async #load(): Promise<void> {
    const { database, config, now } = this.#options;
    this.#loadedAt = now().getTime();
    const read = await loadSchemaCache(database, config.EXPOSED_SCHEMAS, config.EXTRA_SEARCH_PATH);
    // Whoever asks for names that do not exist must not cost everybody else the plans.
    if (read.source === this.#current?.source) return;
    this.#current = read;
    for (const listener of this.#listeners) listener();
  }

  /** @throws ApiError 503 PGRST002 while there is none */
  async get(): Promise<SchemaCache> {
    if (this.#current) return this.#current;
    try {
      await this.reload();
    } catch (error) {
      throw new ApiError(503, 'PGRST002', 'Could not query the database for the schema cache. Retrying.', {
        headers: { 'Retry-After': '1' },
        cause: error,
      });
    }
    if (!this.#current) throw new Error('A loaded cache is missing');
    return this.#current;
  }

  /**
   * Runs `check`. If the cache does not contain a name or a privilege, runs it again after a reload, at most one every
   * `refreshInterval`.
   * @throws what `check` throws
   */
  async withFresh<Result>(check: () => Promise<Result>): Promise<Result> {
    try {
      return await check();
    } catch (error) {
      const recent = this.#options.now().getTime() - this.#loadedAt < refreshInterval;
      if (recent || !(error instanceof ApiError) || !missing.has(error.code)) throw error;
      // A client without a user cannot make the service read the catalog again and again.
      if (error.status === 401) throw error;
      await this.reload();
      return check();
    }
  }
}
