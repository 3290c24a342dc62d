/**
 * A pattern of several words as an index should look for it: without its frequent ones. A trigram index
 * compares its lists for all trigrams, and the lists of frequent ones are as long as the table, however
 * rare the whole text is. A sample of rows tells which words are frequent.
 */
import { compileColumn, compileLogic, type CompileMatch } from './compile-filter.ts';
import type { SqlBuilder } from './compile-text.ts';
import { anyText, compareOperators, isPatternOperator } from './plan.ts';
import type { PlannedLogic } from './read-plan.ts';

/**
 * A word that stands in three of four rows of the sample is left out: without it an index finds a third
 * more rows, and of a word that all rows hold it would read a list as long as the table.
 */
const frequent = '3 / 4.0';

/**
 * A condition that holds for every row for which `node` holds, and for few others.
 * @param sample rows that have the condition's columns
 */
export function compileRareWords(
  sql: SqlBuilder,
  alias: string,
  sample: string,
  node: PlannedLogic,
  match: CompileMatch,
): string {
  const exact = (): string => compileLogic(sql, alias, node, match);
  if (node.kind === 'match') return exact();
  if (node.kind === 'group') {
    // Fewer words find more rows: behind a negation that would be fewer.
    if (node.negated) return exact();
    const members = node.members.map((member) => compileRareWords(sql, alias, sample, member, match));
    return `(${members.join(` ${node.operator} `)})`;
  }
  const pattern = patternOfWords(node);
  if (pattern === null) return exact();
  const column = compileColumn(sql, alias, node.column);
  const comparison = `${column} ${compareOperators[pattern.operator]}`;
  const any = `'${anyText[pattern.operator]}'`;
  const each = sql.alias('w');
  const isRare =
    `select count(*) filter (where ${comparison} (${any} || ${each}.word || ${any})) < count(*) * ${frequent} ` +
    `from ${sample} as ${alias}`;
  const rareWords =
    `select ${any} || string_agg(${each}.word, ${any} order by ${each}.place) || ${any} ` +
    `from unnest(${sql.slot(pattern.words)}::text[]) with ordinality as ${each} (word, place) where (${isRare})`;
  return `${comparison} coalesce((${rareWords}), ${sql.slot(pattern.value)})`;
}

/** How many patterns of a condition `compileRareWords` chooses words of. */
export function countPatternsOfWords(node: PlannedLogic): number {
  if (node.kind === 'match') return 0;
  if (node.kind === 'condition') return patternOfWords(node) === null ? 0 : 1;
  return node.negated ? 0 : node.members.reduce((sum, member) => sum + countPatternsOfWords(member), 0);
}

/** A comparison of a text that holds where its pattern does; null without several words in it. */
function patternOfWords({ column, operation }: Extract<PlannedLogic, { kind: 'condition' }>) {
  if (operation.kind !== 'compare' || operation.negated || !column.isText) return null;
  const { operator, value, words } = operation;
  return words !== null && isPatternOperator(operator) ? { operator, value, words } : null;
}
