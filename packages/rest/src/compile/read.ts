/** Compiles a level to SQL, with one lateral join per embed. */
import { compileColumn, compileLogic, type CompileMatch } from './filter.ts';
import { matchColumnName, internalColumnName, spreadColumns } from './spread.ts';
import { embedRowSource, type RowSource } from './row-source.ts';
import { optimizationFence, whereClause, type SqlBuilder } from './sql-builder.ts';
import { compileLimitOffset, compileOrderTerm } from './order-limit.ts';
import {
  canPaginateBeforeEmbeds,
  listEmbeds,
  isGrouped,
  listRequiredColumns,
  selectsAll,
  type EmbedPlan,
  type ReadLevel,
  type OutputItem,
  type PlannedOrder,
} from '../plan/read-plan.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';

export interface ReadOptions {
  /** Maximum number of rows of the level and of each embed. */
  readonly maxRows: number;
  /** False if the source is already filtered, such as the rows that a write returns. */
  readonly filtered: boolean;
  /** True to list all columns instead of `*`, because the rows contain more columns than selected. */
  readonly expandAll: boolean;
  /** False to omit limit and offset. */
  readonly applyLimit: boolean;
}

/** An expression of the select list. */
interface Output {
  /** Null for `alias.*`. */
  readonly name: string | null;
  readonly text: string;
  readonly isAggregate: boolean;
}

interface Join {
  readonly embed: EmbedPlan;
  readonly alias: string;
  /** Column names of the order terms that the parent uses, in the lateral rows. */
  readonly orderNames: ReadonlyMap<PlannedOrder, string>;
}

/** Format in which a level returns its rows to the parent. */
interface Packing {
  /** True if the parent computes the aggregates, as for a spread to-one embed. */
  readonly aggregatesInParent: boolean;
  /** True to return the output as one JSON column `"value"`, next to the order columns. */
  readonly asValue: boolean;
  readonly orders: ReadonlyMap<PlannedOrder, string>;
}

const unpacked: Packing = { aggregatesInParent: false, asValue: false, orders: new Map() };

/** Returns the complete SELECT of a level. */
export function compileLevel(
  sql: SqlBuilder,
  level: ReadLevel,
  source: RowSource,
  options: ReadOptions,
): string {
  return new LevelCompiler(sql, level, source, options, unpacked).text();
}

class LevelCompiler {
  readonly #sql: SqlBuilder;
  readonly #level: ReadLevel;
  readonly #source: RowSource;
  readonly #options: ReadOptions;
  readonly #packing: Packing;
  readonly #grouped: boolean;
  readonly #joins = new Map<EmbedPlan, Join>();

  constructor(sql: SqlBuilder, level: ReadLevel, source: RowSource, options: ReadOptions, packing: Packing) {
    this.#sql = sql;
    this.#level = level;
    this.#source = source;
    this.#options = options;
    this.#packing = packing;
    this.#grouped = !packing.aggregatesInParent && isGrouped(level);
    for (const embed of listEmbeds(level)) {
      const orders = level.order.filter((term) => term.embed === embed);
      const orderNames = new Map(
        orders.map((term, index) => [term, internalColumnName(embed, `order${index}`)]),
      );
      this.#joins.set(embed, { embed, alias: sql.alias('e'), orderNames });
    }
  }

  text(): string {
    const outputs = this.#level.items.flatMap((item) => this.#outputs(item));
    const joins = [...this.#joins.values()].map((join) => this.#join(join)).join('');
    const { aggregatesInParent, orders } = this.#packing;
    const pageFirst =
      this.#options.applyLimit &&
      !aggregatesInParent &&
      orders.size === 0 &&
      canPaginateBeforeEmbeds(this.#level);
    const [from, where, limitOffset] = pageFirst
      ? [this.#page(), '', '']
      : [this.#source.from, this.#where(), this.#limitOffset()];
    return `select ${this.#pack(outputs)} from ${from}${joins}${where}${this.#groupBy(outputs)}${this.#orderBy()}${limitOffset}`;
  }

  /** Returns the rows of the page as a subquery with the alias of the source, before embeds are joined. */
  #page(): string {
    const { alias, from } = this.#source;
    const names = [...listRequiredColumns(this.#level)].map((name) => `${alias}.${quoteIdentifier(name)}`);
    const list = selectsAll(this.#level) ? `${alias}.*` : names.join(', ');
    return `(select ${list} from ${from}${this.#where()}${this.#orderBy()}${this.#limitOffset()}) as ${alias}`;
  }

  #where(): string {
    return whereClause([...this.#source.conditions, ...(this.#options.filtered ? this.#filters() : [])]);
  }

  #orderBy(): string {
    const terms = this.#level.order.map((term) => this.#orderTerm(term));
    return terms.length > 0 ? ` order by ${terms.join(', ')}` : '';
  }

  #limitOffset(): string {
    return this.#options.applyLimit ? compileLimitOffset(this.#sql, this.#level, this.#options.maxRows) : '';
  }

  #pack(outputs: readonly Output[]): string {
    const list = outputs
      .map(({ name, text }) => (name === null ? text : `${text} as ${quoteIdentifier(name)}`))
      .join(', ');
    const extras = [...this.#packing.orders].map(
      ([term, name]) => `${compileColumn(this.#sql, this.#source.alias, term.column)} as ${name}`,
    );
    if (!this.#packing.asValue) return [list, ...extras].filter((part) => part !== '').join(', ');
    const object = this.#sql.alias('x');
    return [
      `(select row_to_json(${object}.*) from (select ${list}) as ${object}) as "value"`,
      ...extras,
    ].join(', ');
  }

  /** Groups by position, because an output name can also be a column of the table. */
  #groupBy(outputs: readonly Output[]): string {
    if (!this.#grouped) return '';
    const positions = outputs.flatMap(({ isAggregate }, index) => (isAggregate ? [] : [index + 1]));
    return positions.length > 0 ? ` group by ${positions.join(', ')}` : '';
  }

  #filters(): string[] {
    const match: CompileMatch = (embed, exists) =>
      `${this.#matchColumn(embed)} is ${exists ? 'not null' : 'null'}`;
    return this.#level.where.map((node) => compileLogic(this.#sql, this.#source.alias, node, match));
  }

  /** Returns a column of the lateral rows that is null if the embed has no rows. */
  #matchColumn(embed: EmbedPlan): string {
    return `${this.#joinOf(embed).alias}.${embed.spread ? matchColumnName(embed) : '"value"'}`;
  }

  #joinOf(embed: EmbedPlan): Join {
    const join = this.#joins.get(embed);
    if (!join) throw new Error('Embed without a join');
    return join;
  }

  #outputs(item: OutputItem): Output[] {
    const { alias } = this.#source;
    if (item.kind === 'embed') return this.#embedOutputs(item.embed);
    if (item.kind === 'all') {
      const expand = this.#grouped || this.#options.expandAll;
      if (!expand) return [{ name: null, text: `${alias}.*`, isAggregate: false }];
      return this.#level.columnNames.map((name) => ({
        name,
        text: `${alias}.${quoteIdentifier(name)}`,
        isAggregate: false,
      }));
    }
    if (item.kind === 'count')
      return [{ name: item.name, text: withCast('count(*)', item.cast), isAggregate: true }];
    const { name, column, aggregate } = item;
    if (this.#packing.aggregatesInParent || aggregate === null) {
      const value = column === null ? 'true' : withCast(compileColumn(this.#sql, alias, column), item.cast);
      return [{ name, text: value, isAggregate: false }];
    }
    const operand = column === null ? '*' : withCast(compileColumn(this.#sql, alias, column), item.cast);
    return [{ name, text: withCast(`${aggregate}(${operand})`, item.aggregateCast), isAggregate: true }];
  }

  #embedOutputs(embed: EmbedPlan): Output[] {
    const { alias } = this.#joinOf(embed);
    const { toOne } = embed.relationship;
    if (!embed.spread) {
      if (embed.level.items.length === 0) return [];
      const value = toOne ? `${alias}."value"` : `coalesce(${alias}."value", '[]')`;
      // GROUP BY needs an equality operator, which json does not have.
      return [{ name: embed.name, text: this.#grouped ? `${value}::jsonb` : value, isAggregate: false }];
    }
    return spreadColumns(embed.level).map(({ name, item }) => {
      const value = `${alias}.${quoteIdentifier(name)}`;
      const aggregateInParent =
        toOne && !this.#packing.aggregatesInParent && item !== null && item.aggregate !== null;
      const isJson = item === null || !toOne;
      if (!aggregateInParent)
        return { name, text: this.#grouped && isJson ? `${value}::jsonb` : value, isAggregate: false };
      return { name, text: withCast(`${item.aggregate}(${value})`, item.aggregateCast), isAggregate: true };
    });
  }

  #orderTerm(term: PlannedOrder): string {
    const value = term.embed
      ? this.#embedOrder(term, this.#joinOf(term.embed))
      : compileColumn(this.#sql, this.#source.alias, term.column);
    return compileOrderTerm(value, term);
  }

  #embedOrder(term: PlannedOrder, { embed, alias, orderNames }: Join): string {
    const { name, path } = term.column;
    // Grouped rows can only be ordered by grouped columns.
    if (this.#grouped && embed.spread && path.length === 0) return `${alias}.${quoteIdentifier(name)}`;
    return `${alias}.${orderNames.get(term) ?? ''}`;
  }

  #join({ embed, alias, orderNames }: Join): string {
    const source = embedRowSource(this.#sql, embed.relationship, this.#source.alias);
    const options: ReadOptions = { ...this.#options, filtered: true, expandAll: false, applyLimit: true };
    const rows = embed.relationship.toOne
      ? toOneRows(this.#sql, embed, source, options, orderNames)
      : toManyRows(this.#sql, embed, source, options);
    // A to-many embed is an aggregate, which returns a row even without matching rows.
    const condition =
      embed.inner && !embed.relationship.toOne ? `${this.#matchColumn(embed)} is not null` : 'true';
    return ` ${embed.inner ? 'inner' : 'left'} join lateral (${rows}) as ${alias} on ${condition}`;
  }
}

/**
 * Returns one row with `"value"`, or with the columns and match column of a spread; plus the order columns of the
 * parent.
 */
function toOneRows(
  sql: SqlBuilder,
  embed: EmbedPlan,
  source: RowSource,
  options: ReadOptions,
  orders: ReadonlyMap<PlannedOrder, string>,
): string {
  const { level, spread } = embed;
  const asValue = !spread && orders.size > 0;
  const rows = new LevelCompiler(sql, level, source, options, {
    aggregatesInParent: spread,
    asValue,
    orders,
  }).text();
  if (asValue) return rows;
  const row = sql.alias('x');
  return spread
    ? `select true as ${matchColumnName(embed)}, ${row}.* from (${rows}) as ${row}${optimizationFence}`
    : `select row_to_json(${row}.*) as "value" from (${rows}) as ${row}${optimizationFence}`;
}

/** Returns one row: all rows as a JSON array, or one array per column of a spread. */
function toManyRows(sql: SqlBuilder, embed: EmbedPlan, source: RowSource, options: ReadOptions): string {
  const { level, spread } = embed;
  const rows = new LevelCompiler(sql, level, source, options, unpacked).text();
  const row = sql.alias('x');
  if (!spread) return `select json_agg(${row}.*) as "value" from (${rows}) as ${row}`;
  const arrays = spreadColumns(level).map(
    ({ name }) => `coalesce(json_agg(${row}.${quoteIdentifier(name)}), '[]') as ${quoteIdentifier(name)}`,
  );
  return `select ${[`nullif(count(*), 0) as ${matchColumnName(embed)}`, ...arrays].join(', ')} from (${rows}) as ${row}`;
}

/** Digits of a cast number before and after the decimal point: those of a double precision. */
const maxDigits = 308;

/** A cast to `numeric` is limited, because Postgres would return 131,072 digits for the text `1e131071`. */
function withCast(expression: string, type: string | null): string {
  if (type === null) return expression;
  if (type !== 'numeric') return `cast(${expression} as ${type})`;
  return `pg_catalog.trim_scale(cast(${expression} as numeric(${2 * maxDigits}, ${maxDigits})))`;
}
