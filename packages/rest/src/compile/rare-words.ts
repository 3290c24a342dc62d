/**
 * Removes frequent words from patterns of several words, for use with a trigram index. The index reads the posting lists
 * of all trigrams, and those of frequent words are as long as the table, even if the whole pattern is rare. A sample of
 * rows determines which words are frequent.
 */
import { compileColumn, compileLogic } from './filter.ts';
import { compileExists } from './row-source.ts';
import type { SqlBuilder } from './sql-builder.ts';
import { wildcardPatterns, compareOperators, isPatternOperator } from '../plan/query-types.ts';
import type { PlannedLogic } from '../plan/read-plan.ts';

/** Number of rows in each half of the sample. */
const sampleHalfRows = 50;

/**
 * Words in at least three of four sampled rows are removed. Without such a word the index finds at most a third more rows;
 * with it, the index reads a posting list almost as long as the table.
 */
const frequentShare = '3 / 4.0';

/**
 * Maximum number of patterns whose words are sampled. Postgres caches 32 compiled regular expressions, a request can
 * contain 20 of them, and each sampled pattern adds a subquery to the statement.
 */
const maxPatterns = 6;

export interface RareWords {
  /** Common table expression that the conditions query. */
  readonly sample: string;
  /** True for all rows that match the patterns, and for few others. */
  readonly conditions: readonly string[];
}

/**
 * Compiles conditions without the frequent words of their patterns.
 *
 * @param nodes conditions on the rows with this alias
 * @param sources of the sample, each with all columns of the conditions: `first` is the name of the first rows in order,
 *   `sampleRows` compiles a statement for random rows. Both are needed, because the first rows can share a word that is
 *   rare in the table.
 * @returns null if no pattern has several words, or more than `maxPatterns` have
 */
export function compileRareWords(
  sql: SqlBuilder,
  alias: string,
  nodes: readonly PlannedLogic[],
  { first, sampleRows }: { readonly first: string; readonly sampleRows: () => string },
): RareWords | null {
  const patterns = nodes.reduce((sum, node) => sum + countPatterns(node), 0);
  if (patterns === 0 || patterns > maxPatterns) return null;
  const halves = `(select * from ${first} limit ${sampleHalfRows}) union all (${sampleRows()} limit ${sampleHalfRows})`;
  return {
    sample: `"sample" as materialized (${halves})`,
    conditions: nodes.map((node) => compileNode(sql, alias, node)),
  };
}

function compileNode(sql: SqlBuilder, alias: string, node: PlannedLogic): string {
  const exact = (): string => compileLogic(sql, alias, node, compileExists(sql, alias));
  if (node.kind === 'match') return exact();
  if (node.kind === 'group') {
    // Fewer words match more rows; under a negation they would match fewer.
    if (node.negated) return exact();
    return `(${node.members.map((member) => compileNode(sql, alias, member)).join(` ${node.operator} `)})`;
  }
  const pattern = findWordPattern(node);
  if (pattern === null) return exact();
  const column = compileColumn(sql, alias, node.column);
  const comparison = `${column} ${compareOperators[pattern.operator]}`;
  const wildcard = `'${wildcardPatterns[pattern.operator]}'`;
  const wordAlias = sql.alias('w');
  const isRare =
    `select count(*) filter (where ${comparison} (${wildcard} || ${wordAlias}.word || ${wildcard})) < count(*) * ${frequentShare} ` +
    `from "sample" as ${alias}`;
  const rareWords =
    `select ${wildcard} || string_agg(${wordAlias}.word, ${wildcard} order by ${wordAlias}.place) || ${wildcard} ` +
    `from unnest(${sql.slot(pattern.words)}::text[]) with ordinality as ${wordAlias} (word, place) where (${isRare})`;
  return `${comparison} coalesce((${rareWords}), ${sql.slot(pattern.value)})`;
}

function countPatterns(node: PlannedLogic): number {
  if (node.kind === 'match') return 0;
  if (node.kind === 'condition') return findWordPattern(node) === null ? 0 : 1;
  return node.negated ? 0 : node.members.reduce((sum, member) => sum + countPatterns(member), 0);
}

/** Returns the pattern of a non-negated text comparison; null if it has fewer than two words. */
function findWordPattern({ column, operation }: Extract<PlannedLogic, { kind: 'condition' }>) {
  if (operation.kind !== 'compare' || operation.negated || !column.isText) return null;
  const { operator, value, words } = operation;
  return words !== null && isPatternOperator(operator) ? { operator, value, words } : null;
}
