/**
 * A pattern of several words as an index should look for it: without its frequent ones. A trigram index
 * compares its lists for all trigrams, and the lists of frequent ones are as long as the table, however
 * rare the whole text is. A sample of rows tells which words are frequent.
 */
import { compileColumn, compileLogic } from './filter.ts';
import { compileExists } from './row-source.ts';
import type { SqlBuilder } from './sql-builder.ts';
import { wildcardPatterns, compareOperators, isPatternOperator } from '../plan/query-types.ts';
import type { PlannedLogic } from '../plan/read-plan.ts';

/** Each half of the sample has as many rows. */
const half = 50;

/**
 * A word that stands in three of four rows of the sample is left out: without it an index finds a third
 * more rows, and of a word that all rows hold it would read a list as long as the table.
 */
const frequent = '3 / 4.0';

/**
 * Most patterns of which words are chosen. Postgres keeps 32 compiled expressions, 20 of them may be the
 * request's, and each choice is one more query in the statement.
 */
const mostPatterns = 6;

export interface RareWords {
  /** A common table expression, which the conditions ask. */
  readonly sample: string;
  /** They hold for every row for which the patterns hold, and for few others. */
  readonly conditions: readonly string[];
}

/**
 * @param nodes conditions over the rows called `alias`
 * @param rows where the sample comes from, each with all columns of the conditions: the name of the first
 *   rows in order, and what compiles a statement that has others from anywhere. The first alone may have come together
 *   and share a word with nobody else.
 * @returns null where no pattern has words to choose from, or too many have
 */
export function compileRareWords(
  sql: SqlBuilder,
  alias: string,
  nodes: readonly PlannedLogic[],
  { first, others }: { readonly first: string; readonly others: () => string },
): RareWords | null {
  const patterns = nodes.reduce((sum, node) => sum + countPatterns(node), 0);
  if (patterns === 0 || patterns > mostPatterns) return null;
  const halves = `(select * from ${first} limit ${half}) union all (${others()} limit ${half})`;
  return {
    sample: `"sample" as materialized (${halves})`,
    conditions: nodes.map((node) => compileNode(sql, alias, node)),
  };
}

function compileNode(sql: SqlBuilder, alias: string, node: PlannedLogic): string {
  const exact = (): string => compileLogic(sql, alias, node, compileExists(sql, alias));
  if (node.kind === 'match') return exact();
  if (node.kind === 'group') {
    // Fewer words find more rows: behind a negation that would be fewer.
    if (node.negated) return exact();
    return `(${node.members.map((member) => compileNode(sql, alias, member)).join(` ${node.operator} `)})`;
  }
  const pattern = patternOfWords(node);
  if (pattern === null) return exact();
  const column = compileColumn(sql, alias, node.column);
  const comparison = `${column} ${compareOperators[pattern.operator]}`;
  const any = `'${wildcardPatterns[pattern.operator]}'`;
  const each = sql.alias('w');
  const isRare =
    `select count(*) filter (where ${comparison} (${any} || ${each}.word || ${any})) < count(*) * ${frequent} ` +
    `from "sample" as ${alias}`;
  const rareWords =
    `select ${any} || string_agg(${each}.word, ${any} order by ${each}.place) || ${any} ` +
    `from unnest(${sql.slot(pattern.words)}::text[]) with ordinality as ${each} (word, place) where (${isRare})`;
  return `${comparison} coalesce((${rareWords}), ${sql.slot(pattern.value)})`;
}

function countPatterns(node: PlannedLogic): number {
  if (node.kind === 'match') return 0;
  if (node.kind === 'condition') return patternOfWords(node) === null ? 0 : 1;
  return node.negated ? 0 : node.members.reduce((sum, member) => sum + countPatterns(member), 0);
}

/** A comparison of a text that holds where its pattern does; null without several words in it. */
function patternOfWords({ column, operation }: Extract<PlannedLogic, { kind: 'condition' }>) {
  if (operation.kind !== 'compare' || operation.negated || !column.isText) return null;
  const { operator, value, words } = operation;
  return words !== null && isPatternOperator(operator) ? { operator, value, words } : null;
}
