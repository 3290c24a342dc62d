/** Caches plans by request shape until the schema cache changes. */
import { LRUCache } from 'lru-cache';
import type { CompiledStatement } from '../compile/sql-builder.ts';
import type { SchemaCacheManager } from '../schema/schema-cache-manager.ts';

/** Maximum total length of cached keys and statements, in characters. */
const maxCachedChars = 16_000_000;

export class PlanCache {
  readonly #schemaCache: SchemaCacheManager;
  readonly #entries = new LRUCache<string, { readonly statement: CompiledStatement }>({
    maxSize: maxCachedChars,
    sizeCalculation: ({ statement }, key) => key.length + statement.text.length + 500,
  });

  constructor(schemaCache: SchemaCacheManager) {
    this.#schemaCache = schemaCache;
    schemaCache.onReload(() => this.#entries.clear());
  }

  /**
   * Returns the plan of a shape. Errors are not cached.
   *
   * @param shape all values that the plan depends on; the first one is the kind of plan, so plans of different types
   *   never share a key
   */
  async get<Plan extends { readonly statement: CompiledStatement }>(
    shape: readonly unknown[],
    createPlan: () => Promise<Plan>,
  ): Promise<Plan> {
    const key = JSON.stringify(shape);
    const cached = this.#entries.get(key);
    if (cached) return cached as Plan;
    const plan = await this.#schemaCache.withReload(createPlan);
    this.#entries.set(key, plan);
    return plan;
  }
}
