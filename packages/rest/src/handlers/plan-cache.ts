/** Caches the tokens of query strings, and plans by request shape until the schema cache changes. */
import { LRUCache } from 'lru-cache';
import type { CheckContext } from '../check/lookups.ts';
import type { CompiledStatement } from '../compile/sql-builder.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import { tokenizeQuery, type QueryTokens } from '../parse/query-tokens.ts';
import type { AuthenticatedRequest } from '../run/request-runner.ts';
import type { SchemaCacheManager } from '../schema/schema-cache-manager.ts';
import type { RestSettings } from '../settings.ts';
import type { RunCheck } from './run-check.ts';

/** Maximum total length of cached query strings, in characters. Clients repeat few distinct queries. */
const maxCachedTokenChars = 1_000_000;
/** Maximum total length of cached keys and statements, in characters. */
const maxCachedPlanChars = 16_000_000;
/** Approximate memory of the objects of an entry, in characters. */
const entryOverheadChars = 500;

export class PlanCache {
  readonly #settings: RestSettings;
  readonly #runCheck: RunCheck;
  readonly #tokens = new LRUCache<string, QueryTokens>({
    maxSize: maxCachedTokenChars,
    sizeCalculation: (_tokens, key) => key.length + entryOverheadChars,
  });
  readonly #plans = new LRUCache<string, { readonly statement: CompiledStatement }>({
    maxSize: maxCachedPlanChars,
    sizeCalculation: ({ statement }, key) => key.length + statement.text.length + entryOverheadChars,
  });

  constructor(settings: RestSettings, schemaCache: SchemaCacheManager, runCheck: RunCheck) {
    this.#settings = settings;
    this.#runCheck = runCheck;
    schemaCache.onReload(() => this.#plans.clear());
  }

  /**
   * Returns the tokens of the query string.
   *
   * @param call true if parameters without an operator are arguments of a function
   */
  tokenize({ query }: ParsedRequest, call = false): QueryTokens {
    // A query string contains no space, so the keys of both kinds differ.
    const key = call ? `call ${query}` : query;
    const cached = this.#tokens.get(key);
    if (cached) return cached;
    const { LOGIC_DEPTH: logicDepth, MAX_ROWS: maxRows } = this.#settings;
    const tokens = tokenizeQuery(query, { logicDepth, maxRows, call });
    this.#tokens.set(key, tokens);
    return tokens;
  }

  /**
   * Returns the plan of a shape. Errors are not cached.
   *
   * @param shape what the plan depends on besides role, name and format; the first value is the kind of plan, so plans of
   *   different types never share a key
   */
  async getPlan<Plan extends { readonly statement: CompiledStatement }>(
    incoming: AuthenticatedRequest,
    shape: readonly unknown[],
    createPlan: (context: CheckContext) => Plan,
  ): Promise<Plan> {
    const { schema, name, format } = incoming.request;
    const { role } = incoming.principal;
    const key = JSON.stringify([schema, role, name, format.shape, format.stripNulls, shape]);
    const cached = this.#plans.get(key);
    // The first value of `shape` is part of the key, so the plan has this type.
    if (cached) return cached as Plan;
    const plan = await this.#runCheck(incoming, createPlan);
    this.#plans.set(key, plan);
    return plan;
  }
}
