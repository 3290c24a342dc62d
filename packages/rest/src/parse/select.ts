/** Parses the `select` parameter: columns, JSON paths, casts, aggregates, embeds and spreads. */
import type { Aggregate, SelectColumn, SelectEmbed, SelectItem } from '../plan/query-types.ts';
import { Scanner } from './scanner.ts';

export interface SelectLimits {
  /** Maximum nesting depth of embeds. */
  readonly depth: number;
}

const aggregates = new Set<string>(['sum', 'avg', 'count', 'max', 'min']);
const maxItems = 1000;
const maxEmbeds = 100;
const typeName = /^[\p{L}\p{N}_ $]+/u;
const allColumns: SelectColumn = {
  kind: 'column',
  field: { name: '*', path: [] },
  alias: null,
  cast: null,
  aggregate: null,
  aggregateCast: null,
};

/**
 * Parses a select parameter. An empty one means all columns.
 *
 * @throws RestError 400 PGRST100
 */
export function parseSelect(text: string, limits: SelectLimits): SelectItem[] {
  const scanner: Scanner = new Scanner(text, 'select parameter');
  const reader = new SelectReader(scanner, limits);
  scanner.skipSpaces();
  if (scanner.ended) return [allColumns];
  const items = reader.items(0);
  if (!scanner.ended) scanner.fail('"," or end of input');
  return items;
}

class SelectReader {
  readonly #scanner: Scanner;
  readonly #limits: SelectLimits;
  #items = 0;
  #embeds = 0;

  constructor(scanner: Scanner, limits: SelectLimits) {
    this.#scanner = scanner;
    this.#limits = limits;
  }

  items(depth: number): SelectItem[] {
    const items: SelectItem[] = [];
    do {
      this.#scanner.skipSpaces();
      items.push(this.#item(depth));
      this.#items += 1;
      if (this.#items > maxItems) this.#scanner.exceed(`at most ${maxItems} items`);
      this.#scanner.skipSpaces();
    } while (this.#scanner.take(','));
    return items;
  }

  #item(depth: number): SelectItem {
    const scanner: Scanner = this.#scanner;
    if (scanner.take('...')) return this.#embed(scanner.name(), null, true, depth);
    if (scanner.take('*')) return allColumns;
    const alias = this.#alias();
    const start = scanner.position;
    const name = scanner.name();
    if (name === 'count' && scanner.take('()')) {
      return {
        ...allColumns,
        field: { name: '', path: [] },
        alias,
        aggregate: 'count',
        aggregateCast: this.#cast(),
      };
    }
    if (scanner.peek() === '!' || scanner.peek() === '(') return this.#embed(name, alias, false, depth);
    scanner.position = start;
    return this.#column(alias);
  }

  /** Consumes `alias:`; the colon must not be part of a cast, `::`. */
  #alias(): string | null {
    const scanner: Scanner = this.#scanner;
    const start = scanner.position;
    const name = scanner.name();
    if (scanner.peek() === ':' && !scanner.lookingAt('::')) {
      scanner.position += 1;
      scanner.skipSpaces();
      return name;
    }
    scanner.position = start;
    return null;
  }

  #column(alias: string | null): SelectColumn {
    const scanner: Scanner = this.#scanner;
    const field = scanner.field();
    const cast = this.#cast();
    let aggregate: Aggregate | null = null;
    if (scanner.take('.')) {
      const name = scanner.name();
      if (!aggregates.has(name)) scanner.fail('an aggregate function (sum, avg, count, max or min)');
      aggregate = name as Aggregate;
      scanner.expect('()');
    }
    const aggregateCast = aggregate === null ? null : this.#cast();
    return { kind: 'column', field, alias, cast, aggregate, aggregateCast };
  }

  #cast(): string | null {
    const scanner: Scanner = this.#scanner;
    if (!scanner.take('::')) return null;
    const type = typeName.exec(scanner.text.slice(scanner.position, scanner.position + 100));
    if (!type) scanner.fail('a type');
    scanner.position += type[0].length;
    return type[0].trim();
  }

  #embed(target: string, alias: string | null, spread: boolean, depth: number): SelectEmbed {
    const scanner: Scanner = this.#scanner;
    this.#embeds += 1;
    if (depth >= this.#limits.depth) scanner.exceed(`at most ${this.#limits.depth} levels of embedding`);
    if (this.#embeds > maxEmbeds) scanner.exceed(`at most ${maxEmbeds} embeds`);
    let hint: string | null = null;
    let inner = false;
    for (let count = 0; count < 2 && scanner.take('!'); count += 1) {
      const isQuoted = scanner.peek() === '"';
      const parameter = scanner.name();
      if (parameter === 'inner' && !isQuoted) inner = true;
      else if (parameter !== 'left' || isQuoted) hint = parameter;
    }
    scanner.expect('(');
    scanner.skipSpaces();
    const items = scanner.peek() === ')' ? [] : this.items(depth + 1);
    scanner.expect(')');
    return { kind: 'embed', target, alias, hint, inner, spread, items };
  }
}

/** Returns the name of a column in the response. */
export function outputName({ field, alias, aggregate }: SelectColumn): string {
  if (alias !== null) return alias;
  if (aggregate !== null) return aggregate;
  const lastKeyStep = field.path.filter((step) => !step.isIndex).at(-1);
  return lastKeyStep?.key ?? field.name;
}

/** Parses `columns` and `on_conflict`: names separated by commas. */
export function parseNames(text: string, what: string): string[] {
  const scanner: Scanner = new Scanner(text, what);
  const names: string[] = [];
  do {
    scanner.skipSpaces();
    names.push(scanner.name());
    scanner.skipSpaces();
    if (names.length > maxItems) scanner.exceed(`at most ${maxItems} names`);
  } while (scanner.take(','));
  if (!scanner.ended) scanner.fail('"," or end of input');
  return names;
}
