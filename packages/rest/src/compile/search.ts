/**
 * Compiles ordered pages of rows that match a pattern. The planner cannot estimate the number of matches: the index of the
 * order is best for frequent patterns, the index of the pattern for rare ones. The statement therefore tries the first
 * rows in order, then more rows if these are likely to be sufficient, and otherwise fetches and sorts all matches.
 */
import { compileLogic } from './filter.ts';
import { compileRareWords } from './rare-words.ts';
import { compileExists, type RowSource } from './row-source.ts';
import { whereClause, type SqlBuilder } from './sql-builder.ts';
import { compileOrder, compileLimit, compileOffset } from './order-limit.ts';
import {
  hasPattern,
  isOrderedSearch,
  listRequiredColumns,
  selectsAll,
  type ReadLevel,
  type PlannedLogic,
} from '../plan/read-plan.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';

/** Number of rows that are tried first, in order. */
const firstRows = 500;
/** Factor for the number of rows that are tried next: of the first rows or of the rows up to the end of the page. */
const nextRowsFactor = 40;
/**
 * If at least one in this many of the first rows matches, a scan finds all matches faster than the index of the
 * pattern.
 */
const frequentMatchRatio = 20;

export interface Search {
  /** Common table expressions. */
  readonly prefix: string;
  /** Contains the rows of the page and possibly more, unordered. */
  readonly source: RowSource;
  /** SQL that counts all matches. */
  readonly total: string;
  /** True if the rows have computed columns, which `*` must not return. */
  readonly hasComputedColumns: boolean;
}

/** Returns null if an ordinary statement is sufficient: no pattern, no order, or embeds that filter or sort the rows. */
export function compileSearch(
  sql: SqlBuilder,
  level: ReadLevel,
  source: RowSource,
  maxRows: number,
): Search | null {
  if (!isOrderedSearch(level)) return null;
  const patterns = level.where.filter(hasPattern);
  const names = [...new Set([...listRequiredColumns(level), ...level.where.flatMap(columnNames)])];
  const computed = names.filter((name) => !level.columnNames.includes(name));
  if (!computed.every((name) => level.relation?.computedColumns.has(name))) return null;
  const parts = compileParts(sql, level, source, { patterns, names, computed, maxRows });
  const search = assemble(parts, compileMatchSources(sql, level, parts, patterns));
  return { ...search, hasComputedColumns: computed.length > 0 };
}

/** Building blocks of the statement. */
interface SearchParts {
  readonly alias: string;
  readonly from: string;
  /** Columns of the page, the filters and the order. */
  readonly columns: string;
  /** Conditions without a pattern. */
  readonly otherConditions: readonly string[];
  readonly patternConditions: readonly string[];
  readonly order: string;
  /** SQL of the number of rows up to the end of the page. */
  readonly rowsToPageEnd: string;
}

function compileParts(
  sql: SqlBuilder,
  level: ReadLevel,
  { alias, from }: RowSource,
  {
    patterns,
    names,
    computed,
    maxRows,
  }: {
    patterns: readonly PlannedLogic[];
    names: readonly string[];
    computed: readonly string[];
    maxRows: number;
  },
): SearchParts {
  const conditions = (nodes: readonly PlannedLogic[]): string[] =>
    nodes.map((node) => compileLogic(sql, alias, node, compileExists(sql, alias)));
  const offset = compileOffset(sql, level);
  return {
    alias,
    from,
    columns:
      selectsAll(level) && computed.length === 0
        ? `${alias}.*`
        : (selectsAll(level) ? [...level.columnNames, ...computed] : names)
            .map((name) => `${alias}.${quoteIdentifier(name)}`)
            .join(', '),
    otherConditions: conditions(level.where.filter((node) => !patterns.includes(node))),
    patternConditions: conditions(patterns),
    order: compileOrder(sql, alias, level.order),
    rowsToPageEnd: `(${compileLimit(level, maxRows)}${offset === null ? '' : ` + ${offset}`})`,
  };
}

/** Two sources of all matches. */
interface MatchSources {
  /** Common table expression that `indexed` requires; empty if none. */
  readonly sample: string;
  /** SQL behind FROM, including conditions, that uses the index of the pattern. */
  readonly indexed: string;
  /** Equivalent SQL that scans all rows, to count them. */
  readonly scanned: string;
}

function compileMatchSources(
  sql: SqlBuilder,
  level: ReadLevel,
  parts: SearchParts,
  patterns: readonly PlannedLogic[],
): MatchSources {
  const { alias, from, columns, otherConditions, patternConditions } = parts;
  /** `offset 0` is an optimization fence: Postgres applies the pattern to the inner rows without its index. */
  const fenced = (innerConditions: readonly string[]): string =>
    `(select ${columns} from ${from}${whereClause([...otherConditions, ...innerConditions])} offset 0) as ${alias}${whereClause(patternConditions)}`;
  // With fewer first rows, they are all rows of the table.
  const sampleRows = (): string =>
    `select ${columns} from ${from}${compileTableSample(sql, level)}${whereClause([...otherConditions, `${count('candidates')} = ${firstRows}`])}`;
  const rare = compileRareWords(sql, alias, patterns, { first: '"candidates"', sampleRows });
  return {
    sample: rare === null ? '' : `${rare.sample}, `,
    indexed:
      rare === null
        ? `${from}${whereClause([...otherConditions, ...patternConditions])}`
        : fenced(rare.conditions),
    // Postgres reads no index for a test of the result, and divides a scan without a fence among its workers.
    scanned: `${from}${whereClause([...otherConditions, ...patternConditions.map((condition) => `(${condition}) is true`)])}`,
  };
}

/** Approximate maximum number of table pages in a sample. */
const maxSampledPages = 10;

/**
 * Returns a TABLESAMPLE clause for a few pages of a table, repeatable while its size is unchanged. Empty for relations
 * that do not store rows themselves.
 */
function compileTableSample(sql: SqlBuilder, { relation }: ReadLevel): string {
  if (!relation?.hasPages) return '';
  const pages = `pg_relation_size(${sql.constant(relation.oid)}::oid::regclass) / current_setting('block_size')::int`;
  return ` tablesample system (100.0 * least(1, ${maxSampledPages}::float / greatest(${pages}, 1))) repeatable (0)`;
}

/**
 * Combines the common table expressions: "candidates" contains the first rows in order, "first_matches" the matches among
 * them, "next_matches" the matches among the next rows, and "all_matches" all matches. Each one is evaluated only if the
 * previous ones do not contain the page.
 */
function assemble(
  parts: SearchParts,
  { sample, indexed, scanned }: MatchSources,
): Omit<Search, 'hasComputedColumns'> {
  const { alias, from, columns, otherConditions, patternConditions, order, rowsToPageEnd } = parts;
  const inOrder = (conditions: readonly string[], limit: string | number): string =>
    `select ${columns} from ${from}${whereClause([...otherConditions, ...conditions])} order by ${order} limit ${limit}`;
  const lacksRows = (cte: CteName): string => `${count(cte)} < ${rowsToPageEnd}`;
  const isPromising = `${count('first_matches')} * ${nextRowsFactor} >= least(${rowsToPageEnd}, ${firstRows})`;
  const next = inOrder(
    [lacksRows('first_matches'), isPromising],
    `greatest(${firstRows * nextRowsFactor}, ${rowsToPageEnd} * ${nextRowsFactor})`,
  );
  const matching = `${alias}${whereClause(patternConditions)}`;
  const enough = (cte: CteName): string => `select * from "${cte}" where ${count(cte)} >= ${rowsToPageEnd}`;
  return {
    prefix:
      `with "candidates" as materialized (${inOrder([], firstRows)}), ` +
      `"first_matches" as materialized (select ${columns} from "candidates" as ${matching}), ` +
      // The inner limit is an optimization fence: the pattern is applied to these rows only.
      `"next_matches" as materialized (select ${columns} from (${next}) as ${matching} order by ${order} limit ${rowsToPageEnd}), ` +
      sample +
      `"all_matches" as materialized (select ${columns} from ${indexed} and ${lacksRows('first_matches')} and ${lacksRows('next_matches')}) `,
    source: {
      from: `(${enough('first_matches')} union all ${enough('next_matches')} union all select * from "all_matches") as ${alias}`,
      alias,
      conditions: [],
    },
    total: `case when ${count('first_matches')} * ${frequentMatchRatio} >= ${firstRows} then ${compileRowCount(scanned)} else ${compileRowCount(indexed)} end`,
  };
}

type CteName = 'candidates' | 'first_matches' | 'next_matches';

const count = (cte: CteName): string => compileRowCount(`"${cte}"`);
const compileRowCount = (rows: string): string => `(select count(*) from ${rows})`;

function columnNames(node: PlannedLogic): string[] {
  if (node.kind === 'group') return node.members.flatMap(columnNames);
  return node.kind === 'condition' ? [node.column.name] : [];
}
