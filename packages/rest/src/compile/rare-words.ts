/**
 * Removes frequent words from patterns of several words, for use with a trigram index. The index reads the posting lists
 * of all trigrams, and those of frequent words are as long as the table, even if the whole pattern is rare. A sample of
 * rows determines which words are frequent.
 */
import { compileColumn, compileLogic } from './filter.ts';
import { compileExists } from './row-source.ts';
import type { SqlBuilder } from './sql-builder.ts';
import { wildcardPatterns, compareOperators } from '../plan/query-types.ts';
import type { PlannedLogic } from '../plan/read-plan.ts';
import { findWordPattern, hasSampledWords } from '../plan/word-patterns.ts';

/** Number of rows in each half of the sample. */
const sampleHalfRows = 50;

/**
 * Words in at least three quarters of the sampled rows are removed. If words are independent, the index finds at most a third
 * more rows for each removed word; with the word it reads a posting list almost as long as the table.
 */
const frequentShare = 0.75;

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
 * @param sources of the sample, each with all columns of the conditions: `first` is the quoted name of a common table
 *   expression with the first rows in order, `sampleRows` compiles a SELECT of other rows, which are random for a table. Both
 *   are needed, because the first rows can share a word that is rare in the table.
 * @returns null if no pattern has several words, or too many have (`hasSampledWords`)
 */
export function compileRareWords(
  sql: SqlBuilder,
  alias: string,
  nodes: readonly PlannedLogic[],
  { first, sampleRows }: { readonly first: string; readonly sampleRows: () => string },
): RareWords | null {
  if (!hasSampledWords(nodes)) return null;
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
