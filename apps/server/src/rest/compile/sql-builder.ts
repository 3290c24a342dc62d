/**
 * The only files that make SQL from a request are those of this folder. Names come quoted from the
 * schema cache (`identifier`), words from fixed tables, everything else is a parameter.
 */
import type { Statement } from '@lanternrock/postgres';
import type { ExplainFormat, Slot, SlotValue } from '../plan/query-types.ts';

/** Where a parameter's value comes from: the request's list of values, or the plan itself. */
export type Parameter = { readonly slot: Slot } | { readonly constant: SlotValue };

/** A statement without its request's values. */
export interface CompiledStatement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/** The statement with one request's values bound. */
export function bindValues({ text, parameters }: CompiledStatement, values: readonly SlotValue[]): Statement {
  return {
    text,
    values: parameters.map((parameter) =>
      'slot' in parameter ? (values[parameter.slot] ?? null) : parameter.constant,
    ),
  };
}

/** Asks for the query plan of a statement instead of its answer. */
export function compileExplain({ text, values }: Statement, { format, options }: ExplainFormat): Statement {
  return { text: `explain (${[`format ${format}`, ...options].join(', ')}) ${text}`, values };
}

/** ` where …` with every condition; nothing without any. */
export function whereClause(conditions: readonly string[]): string {
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
}

/** Collects the parameters of a statement and hands out aliases. */
export class SqlBuilder {
  readonly #parameters: Parameter[] = [];
  readonly #placeholders = new Map<Slot, string>();
  #aliases = 0;

  /** Placeholder of a value of the request; the same slot always gets the same one. */
  slot(slot: Slot): string {
    const known = this.#placeholders.get(slot);
    if (known !== undefined) return known;
    const placeholder = this.#add({ slot });
    this.#placeholders.set(slot, placeholder);
    return placeholder;
  }

  /** Placeholder of a value that belongs to the request's shape. */
  constant(constant: SlotValue): string {
    return this.#add({ constant });
  }

  #add(parameter: Parameter): string {
    this.#parameters.push(parameter);
    return `$${this.#parameters.length}`;
  }

  /** A quoted alias that nothing else in the statement uses; short, so that Postgres never cuts it. */
  alias(prefix: string): string {
    this.#aliases += 1;
    return `"${prefix}${this.#aliases}"`;
  }

  finish(text: string): CompiledStatement {
    return { text, parameters: this.#parameters };
  }
}
