/** What was worked out for requests of one shape, kept until the catalog changes. */
import { LRUCache } from 'lru-cache';
import type { CompiledStatement } from './compile/sql-builder.ts';
import type { SchemaCacheManager } from './schema/schema-cache-manager.ts';

/** Characters of keys and statements that may be kept. */
const capacity = 16_000_000;

export class PlanCache {
  readonly #holder: SchemaCacheManager;
  readonly #entries = new LRUCache<string, { readonly statement: CompiledStatement }>({
    maxSize: capacity,
    sizeCalculation: ({ statement }, key) => key.length + statement.text.length + 500,
  });

  constructor(holder: SchemaCacheManager) {
    this.#holder = holder;
    holder.onReload(() => this.#entries.clear());
  }

  /**
   * The plan of a shape; a rejected shape is not kept.
   * @param shape everything that the plan depends on; its first part names the kind of plan, so that
   *   one key never stands for two types
   */
  async get<Plan extends { readonly statement: CompiledStatement }>(
    shape: readonly unknown[],
    make: () => Promise<Plan>,
  ): Promise<Plan> {
    const key = JSON.stringify(shape);
    const known = this.#entries.get(key);
    if (known) return known as Plan;
    const plan = await this.#holder.withFresh(make);
    this.#entries.set(key, plan);
    return plan;
  }
}
