/** Loads the schema cache, and reloads it after notifications and for unknown names. */
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import { DatabaseUnavailableError, retryAfterSeconds } from '@lanternrock/postgres/errors';
import { RestError } from '../errors.ts';
import type { RestSettings } from '../settings.ts';
import { loadSchemaCache, type SchemaCache } from './schema-cache.ts';

export interface SchemaCacheOptions {
  readonly database: Database;
  readonly settings: Pick<RestSettings, 'EXPOSED_SCHEMAS' | 'EXTRA_SEARCH_PATH'>;
  /** Further roles whose privileges requests of the role `authenticated` can use. */
  readonly elevatedRoles: readonly string[];
  readonly log: Logger;
  readonly now: () => Date;
}

/** Minimum interval between reloads that are caused by rejected requests, in milliseconds. */
const minReloadIntervalMs = 5000;

/** Error codes of unknown names and missing privileges, which a reload can resolve. */
const reloadErrorCodes = new Set(['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205', '42703', '42501']);

const reloadPayloads = new Set(['', 'reload schema', 'reload config']);

/** Reload interval behind a pooler without LISTEN support, in milliseconds. */
const pollIntervalMs = 60_000;

/** Delay between the first notification and the reload, in milliseconds. */
const debounceMs = 100;

export class SchemaCacheManager {
  readonly #options: SchemaCacheOptions;
  readonly #listeners: (() => void)[] = [];
  #current: SchemaCache | null = null;
  #loading: Promise<void> | null = null;
  #loadedAt = 0;
  #loads = 0;
  #reloadTimer: NodeJS.Timeout | null = null;

  constructor(options: SchemaCacheOptions) {
    this.#options = options;
  }

  /**
   * Loads the cache and subscribes to `NOTIFY pgrst` with the payload `reload schema`, `reload config` (role settings) or
   * none, which migration tools send. The service also starts if the database is unavailable. A pooler in transaction
   * mode does not deliver notifications, so the cache is then reloaded once a minute.
   */
  async start(): Promise<void> {
    const { database } = this.#options;
    if (database.listen) {
      database.listen('pgrst', (payload) => {
        if (payload === null || reloadPayloads.has(payload)) this.#scheduleReload();
      });
    } else if (database.pooling === 'transaction') {
      setInterval(() => this.#scheduleReload(), pollIntervalMs).unref();
    }
    try {
      await this.reload();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      this.#options.log.warn({ err: error }, 'database unavailable, schema cache load postponed');
    }
  }

  /** The current cache; null before the first load. */
  get current(): SchemaCache | null {
    return this.#current;
  }

  /** Number of completed loads, also of an unchanged catalog. */
  get loads(): number {
    return this.#loads;
  }

  /** Registers a listener that is called after each load with a changed catalog. */
  onReload(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reloads the cache. Requests use the old cache until the load completes. Concurrent calls share one load. */
  async reload(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    await this.#loading;
  }

  /** Schedules a reload. The notifications of one migration cause a single reload. */
  #scheduleReload(): void {
    this.#reloadTimer ??= setTimeout(() => {
      this.#reloadTimer = null;
      this.#reloadAfterCurrent().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'schema cache reload failed');
      });
    }, debounceMs);
    this.#reloadTimer.unref();
  }

  /** Waits for a running load before reloading, because it can have read the catalog before the change. */
  async #reloadAfterCurrent(): Promise<void> {
    await this.#loading?.catch(() => {});
    await this.reload();
  }

  async #load(): Promise<void> {
    const { database, settings, elevatedRoles, now } = this.#options;
    this.#loadedAt = now().getTime();
    const { EXPOSED_SCHEMAS, EXTRA_SEARCH_PATH } = settings;
    const cache = await loadSchemaCache(database, EXPOSED_SCHEMAS, EXTRA_SEARCH_PATH, elevatedRoles);
    this.#loads += 1;
    // Requests for unknown names cause reloads. An unchanged catalog must not invalidate the plans.
    if (cache.source === this.#current?.source) return;
    this.#current = cache;
    for (const listener of this.#listeners) listener();
  }

  /** @throws RestError 503 PGRST002 if the cache cannot be loaded */
  async get(): Promise<SchemaCache> {
    if (this.#current) return this.#current;
    try {
      await this.reload();
    } catch (error) {
      throw new RestError(503, 'PGRST002', 'Could not query the database for the schema cache. Retrying.', {
        headers: { 'Retry-After': String(retryAfterSeconds) },
        cause: error,
      });
    }
    if (!this.#current) throw new Error('Schema cache is missing after the load');
    return this.#current;
  }

  /**
   * Runs `check`. If the cache does not contain a name or a privilege, reloads the cache and runs it again, at most once
   * per `minReloadIntervalMs`.
   *
   * @throws what `check` throws
   */
  async withReload<Result>(check: () => Promise<Result>): Promise<Result> {
    try {
      return await check();
    } catch (error) {
      const sinceLoadMs = this.#options.now().getTime() - this.#loadedAt;
      // A negative time means that the clock was set back.
      const loadedRecently = sinceLoadMs >= 0 && sinceLoadMs < minReloadIntervalMs;
      if (loadedRecently || !(error instanceof RestError) || !reloadErrorCodes.has(error.code)) throw error;
      await this.reload();
      return check();
    }
  }
}
