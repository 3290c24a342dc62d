/** A selection as SQL: one lateral join per embed, wire contract "One SQL statement per request". */
import { compileColumn, compileLogic, type CompileMatch } from './compile-filter.ts';
import { identifier, qualified, type SqlBuilder } from './compile-text.ts';
import { embedsOf, isGrouped, type EmbedPlan, type Level, type OutputItem, type PlannedOrder } from './read-plan.ts';
import type { Relationship } from './relationships.ts';

/** Where the rows of a level come from. */
export interface RowSource {
  /** Behind `from`: `"public"."t" as "r1"`. */
  readonly from: string;
  readonly alias: string;
  /** Conditions that tie the rows to their parent's. */
  readonly conditions: readonly string[];
}

export interface ReadOptions {
  readonly maxRows: number;
  /** False where filters were applied before, as on rows that a write returns. */
  readonly filtered: boolean;
  /** Written rows list their columns, because they carry more than was selected. */
  readonly expandAll: boolean;
  /** False leaves limit and offset out. */
  readonly windowed: boolean;
}

/** An expression of a level's select list. */
interface Output {
  readonly name: string | null;
  readonly text: string;
  /** The value without its aggregate function, for spreads whose parent aggregates. */
  readonly isAggregate: boolean;
}

interface Join {
  readonly embed: EmbedPlan;
  readonly alias: string;
  /** Order columns that the lateral select offers beside the output, by column expression key. */
  readonly orderNames: ReadonlyMap<PlannedOrder, string>;
}

/** `select … from … where … order by … limit …` of a level. */
export function compileLevel(sql: SqlBuilder, level: Level, source: RowSource, options: ReadOptions): string {
  return new LevelCompiler(sql, level, source, options).text();
}

class LevelCompiler {
  readonly #sql: SqlBuilder;
  readonly #level: Level;
  readonly #source: RowSource;
  readonly #options: ReadOptions;
  readonly #joins: ReadonlyMap<EmbedPlan, Join>;

  constructor(sql: SqlBuilder, level: Level, source: RowSource, options: ReadOptions) {
    this.#sql = sql;
    this.#level = level;
    this.#source = source;
    this.#options = options;
    this.#joins = new Map(
      embedsOf(level).map((embed) => {
        const orders = level.order.filter((term) => term.embed === embed);
        const orderNames = new Map(orders.map((term, index) => [term, `"order${index + 1}"`]));
        return [embed, { embed, alias: sql.alias('e'), orderNames }];
      }),
    );
  }

  text(): string {
    const grouped = isGrouped(this.#level);
    const outputs = this.#level.items.flatMap((item) => this.#outputs(item, grouped));
    const joins = [...this.#joins.values()].map((join) => this.#join(join));
    const parts = [`select ${printOutputs(outputs)}`, `from ${this.#source.from}`, ...joins];
    const conditions = [...this.#source.conditions];
    if (this.#options.filtered) conditions.push(...this.#filters());
    if (conditions.length > 0) parts.push(`where ${conditions.join(' and ')}`);
    if (grouped) {
      const keys = outputs.flatMap(({ isAggregate }, index) => (isAggregate ? [] : [String(index + 1)]));
      if (keys.length > 0) parts.push(`group by ${keys.join(', ')}`);
    }
    if (this.#level.order.length > 0) parts.push(`order by ${this.#level.order.map((term) => this.#orderTerm(term)).join(', ')}`);
    if (this.#options.windowed) parts.push(...compileWindow(this.#sql, this.#level, this.#options.maxRows));
    return parts.join(' ');
  }

  #filters(): string[] {
    const match: CompileMatch = (embed, exists) =>
      `${this.#matchTest(embed)} is ${exists ? 'distinct' : 'not distinct'} from null`;
    return this.#level.where.map((node) => compileLogic(this.#sql, this.#source.alias, node, match));
  }

  #matchTest(embed: EmbedPlan): string {
    const join = this.#joins.get(embed);
    if (!join) throw new Error('An embed without its join');
    return `${join.alias}.${hasMarker(embed) ? '"matched"' : '"value"'}`;
  }

  #outputs(item: OutputItem, grouped: boolean): Output[] {
    const { alias } = this.#source;
    if (item.kind === 'all') {
      const expand = grouped || this.#options.expandAll;
      if (!expand) return [{ name: null, text: `${alias}.*`, isAggregate: false }];
      return this.#level.columnNames.map((name) => ({ name, text: `${alias}.${identifier(name)}`, isAggregate: false }));
    }
    if (item.kind === 'embed') return this.#embedOutputs(item.embed, grouped);
    const value = item.column === null ? '*' : withCast(compileColumn(this.#sql, alias, item.column), item.cast);
    if (item.aggregate === null) return [{ name: item.name, text: value, isAggregate: false }];
    return [{ name: item.name, text: withCast(`${item.aggregate}(${value})`, item.aggregateCast), isAggregate: true }];
  }

  #embedOutputs(embed: EmbedPlan, grouped: boolean): Output[] {
    const join = this.#joins.get(embed);
    if (!join) throw new Error('An embed without its join');
    if (!embed.spread) {
      if (embed.level.items.length === 0) return [];
      const value = embed.relationship.toOne ? `${join.alias}."value"` : `coalesce(${join.alias}."value", '[]')`;
      // json has no equality, and grouping needs one.
      return [{ name: embed.name, text: grouped ? `${value}::jsonb` : value, isAggregate: false }];
    }
    return spreadColumns(embed.level).map(({ name, item }) => {
      const value = `${join.alias}.${identifier(name)}`;
      if (item === null || item.aggregate === null || !embed.relationship.toOne) {
        return { name, text: value, isAggregate: false };
      }
      const counted = item.column === null ? `${join.alias}."matched"` : value;
      return { name, text: withCast(`${item.aggregate}(${counted})`, item.aggregateCast), isAggregate: true };
    });
  }

  #orderTerm(term: PlannedOrder): string {
    const join = term.embed ? this.#joins.get(term.embed) : undefined;
    const value = join
      ? `${join.alias}.${join.orderNames.get(term) ?? ''}`
      : compileColumn(this.#sql, this.#source.alias, term.column);
    const direction = term.direction === null ? '' : ` ${term.direction}`;
    return `${value}${direction}${term.nulls === null ? '' : ` nulls ${term.nulls}`}`;
  }

  #join(join: Join): string {
    const { embed, alias } = join;
    const source = embedSource(this.#sql, embed.relationship, this.#source.alias);
    const options = { ...this.#options, filtered: true, expandAll: false, windowed: true };
    const kind = embed.inner ? 'inner' : 'left';
    const rows = embed.relationship.toOne
      ? this.#toOne(join, source, options)
      : toMany(this.#sql, embed, source, options);
    const condition = !embed.inner || embed.relationship.toOne ? 'true' : `${this.#matchTest(embed)} is not null`;
    return `${kind} join lateral (${rows}) as ${alias} on ${condition}`;
  }

  /** One row: the object, a mark that there is one, and what the parent orders by. */
  #toOne({ embed, orderNames }: Join, source: RowSource, options: ReadOptions): string {
    const extra = [...orderNames].map(([term, name]) => `${compileColumn(this.#sql, source.alias, term.column)} as ${name}`);
    if (hasMarker(embed)) extra.unshift('true as "matched"');
    return new ToOneCompiler(this.#sql, embed, source, options).rows(extra);
  }
}

/** The rows of a to-one embed: `"value"` as an object, or the columns themselves for a spread. */
class ToOneCompiler {
  readonly #sql: SqlBuilder;
  readonly #embed: EmbedPlan;
  readonly #source: RowSource;
  readonly #options: ReadOptions;

  constructor(sql: SqlBuilder, embed: EmbedPlan, source: RowSource, options: ReadOptions) {
    this.#sql = sql;
    this.#embed = embed;
    this.#source = source;
    this.#options = options;
  }

  rows(extra: readonly string[]): string {
    const { level, spread } = this.#embed;
    const inner = this.#sql.alias('x');
    const base = this.#sql.alias('b');
    const plain = stripAggregates(level);
    // The filtered rows first, so that what the parent orders by is read from the same row.
    const filtered = compileLevel(
      this.#sql,
      { ...level, items: [{ kind: 'all' }], order: level.order.filter((term) => term.embed === null), where: [] },
      this.#source,
      { ...this.#options, filtered: false },
    );
    if (extra.length === 0 && !spread) {
      const rows = compileLevel(this.#sql, plain, this.#source, this.#options);
      return `select row_to_json(${inner}) as "value" from (${rows}) as ${inner}`;
    }
    const text = compileLevel(this.#sql, plain, this.#source, this.#options);
    void filtered;
    void base;
    const listed = extra.length > 0 ? text.replace(/^select /, `select ${extra.join(', ')}, `) : text;
    return listed;
  }
}

function toMany(sql: SqlBuilder, embed: EmbedPlan, source: RowSource, options: ReadOptions): string {
  const rows = sql.alias('x');
  const text = compileLevel(sql, embed.level, source, options);
  if (!embed.spread) return `select json_agg(${rows}) as "value" from (${text}) as ${rows}`;
  const arrays = spreadColumns(embed.level).map(
    ({ name }) => `coalesce(json_agg(${rows}.${identifier(name)}), '[]') as ${identifier(name)}`,
  );
  return `select ${arrays.join(', ')} from (${text}) as ${rows}`;
}
