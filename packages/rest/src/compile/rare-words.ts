/**
 * Removes frequent words from patterns that have several words together, for use with a trigram index. The index reads the
 * posting lists of all trigrams, and those of frequent words are as long as the table, even if the whole search is rare. A
 * sample of rows determines which words are frequent.
 */
import { compileColumn, compileLogic } from './filter.ts';
import { compileExists } from './row-source.ts';
import type { SqlBuilder } from './sql-builder.ts';
import { wildcardPatterns, compareOperators } from '../plan/query-types.ts';
import type { PlannedLogic } from '../plan/read-plan.ts';
import {
  findWordPattern,
  hasSampledWords,
  listCombinedPatterns,
  type WordPattern,
} from '../plan/word-patterns.ts';

/** Number of rows in each half of the sample. */
const sampleHalfRows = 50;

/**
 * Words in at least three quarters of the sampled rows are removed. If words are independent, the index finds at most a third
 * more rows for each removed word; with the word it reads a posting list almost as long as the table.
 */
const frequentShare = 0.75;

export interface RareWords {
  /** Common table expressions that the conditions query. */
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
  const words: string[] = [];
  const combined = new Map<PlannedLogic, string>();
  for (const conditions of listCombinedPatterns(nodes)) {
    const names = conditions.map((_, index) => `w${words.length + index + 1}`);
    // Without a rare word in any pattern, the index looks up all of them.
    const hasNone = `coalesce(${names.join(', ')}) is null`;
    for (const [index, { node, pattern }] of conditions.entries()) {
      const column = compileColumn(sql, alias, node.column);
      const rare = `${compileRarePattern(sql, alias, column, pattern)} as ${names[index]}`;
      const otherwise = `case when ${hasNone} then ${sql.slot(pattern.value)} else '${wildcardPatterns[pattern.operator]}' end`;
      words.push(rare);
      combined.set(
        node,
        `${column} ${compareOperators[pattern.operator]} (select coalesce(${names[index]}, ${otherwise}) from "rare_words")`,
      );
    }
  }
  return {
    sample:
      `"sample" as materialized (${halves})` +
      (words.length === 0 ? '' : `, "rare_words" as materialized (select ${words.join(', ')})`),
    conditions: nodes.map((node) => compileNode(sql, alias, node, combined)),
  };
}

/** @param combined the SQL of the conditions whose patterns are sampled together */
function compileNode(
  sql: SqlBuilder,
  alias: string,
  node: PlannedLogic,
  combined: ReadonlyMap<PlannedLogic, string>,
): string {
  const known = combined.get(node);
  if (known !== undefined) return known;
  const exact = (): string => compileLogic(sql, alias, node, compileExists(sql, alias));
  if (node.kind === 'match') return exact();
  if (node.kind === 'group') {
    // Fewer words match more rows; under a negation they would match fewer.
    if (node.negated) return exact();
    return `(${node.members.map((member) => compileNode(sql, alias, member, combined)).join(` ${node.operator} `)})`;
  }
  const pattern = findWordPattern(node);
  if (pattern === null || !pattern.hasSeveralWords) return exact();
  const column = compileColumn(sql, alias, node.column);
  const rare = compileRarePattern(sql, alias, column, pattern);
  return `${column} ${compareOperators[pattern.operator]} coalesce(${rare}, ${sql.slot(pattern.value)})`;
}

/** Compiles a pattern of the rare words of a pattern, in their order; null if all are frequent. */
function compileRarePattern(sql: SqlBuilder, alias: string, column: string, pattern: WordPattern): string {
  const comparison = `${column} ${compareOperators[pattern.operator]}`;
  const wildcard = `'${wildcardPatterns[pattern.operator]}'`;
  const wordAlias = sql.alias('w');
  const isRare =
    `select count(*) filter (where ${comparison} (${wildcard} || ${wordAlias}.word || ${wildcard})) < count(*) * ${frequentShare} ` +
    `from "sample" as ${alias}`;
  return (
    `(select ${wildcard} || string_agg(${wordAlias}.word, ${wildcard} order by ${wordAlias}.place) || ${wildcard} ` +
    `from unnest(${sql.slot(pattern.words)}::text[]) with ordinality as ${wordAlias} (word, place) where (${isRare}))`
  );
}
