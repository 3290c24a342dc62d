/**
 * Builds SQL statements. Only this directory generates SQL from requests: names are quoted and come from the schema cache,
 * keywords come from constant tables, and all other values are parameters.
 */
import type { Statement } from '@lanternrock/postgres';
import type { ExplainFormat, Slot, SlotValue } from '../plan/query-types.ts';

/** Source of a parameter: a slot of the request's values, or a constant of the plan. */
export type Parameter =
  | { readonly kind: 'slot'; readonly slot: Slot }
  | { readonly kind: 'constant'; readonly value: SlotValue };

/** A statement without the values of a request. */
export interface CompiledStatement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/** The end of a subquery that Postgres plans and runs on its own. It adds no step to the plan. */
export const optimizationFence = ' offset 0';

/** Maximum number of EXISTS subqueries of a statement that the planner can turn into joins. */
const maxSemiJoins = 3;

/** Binds the values of a request to a statement. */
export function bindValues({ text, parameters }: CompiledStatement, values: readonly SlotValue[]): Statement {
  return {
    text,
    values: parameters.map((parameter) =>
      parameter.kind === 'slot' ? (values[parameter.slot] ?? null) : parameter.value,
    ),
  };
}

/** Returns an EXPLAIN of the statement. */
export function compileExplain({ text, values }: Statement, { format, options }: ExplainFormat): Statement {
  return { text: `explain (${[`format ${format}`, ...options].join(', ')}) ${text}`, values };
}

/** Returns ` where …` with all conditions, or an empty string without conditions. */
export function whereClause(conditions: readonly string[]): string {
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
}

/** Collects the parameters of a statement and creates unique aliases. */
export class SqlBuilder {
  readonly #parameters: Parameter[] = [];
  readonly #placeholders = new Map<Slot, string>();
  #aliases = 0;
  #semiJoins = 0;

  /** Returns the placeholder of a slot; the same one for each use of a slot. */
  slot(slot: Slot): string {
    const existing = this.#placeholders.get(slot);
    if (existing !== undefined) return existing;
    const placeholder = this.#add({ kind: 'slot', slot });
    this.#placeholders.set(slot, placeholder);
    return placeholder;
  }

  /** Returns the placeholder of a constant, which is part of the request shape. */
  constant(value: SlotValue): string {
    return this.#add({ kind: 'constant', value });
  }

  #add(parameter: Parameter): string {
    this.#parameters.push(parameter);
    return `$${this.#parameters.length}`;
  }

  /** Returns a quoted alias that is unique in the statement and short enough that Postgres does not truncate it. */
  alias(prefix: string): string {
    this.#aliases += 1;
    return `"${prefix}${this.#aliases}"`;
  }

  /**
   * Returns the end of an EXISTS subquery: empty for the first ones of the statement, then an optimization fence. Postgres
   * joins all EXISTS subqueries without a fence in one query level, nested ones as well. A few are faster to run as joins,
   * but the time to plan them grows faster than the square of their number: 3 s for 90, and 30 ms with the fence.
   */
  fenceExists(): string {
    this.#semiJoins += 1;
    return this.#semiJoins > maxSemiJoins ? optimizationFence : '';
  }

  finish(text: string): CompiledStatement {
    return { text, parameters: this.#parameters };
  }
}
