/**
 * A pattern of several words as an index should look for it: without its frequent ones. A trigram index
 * compares its lists for all trigrams, and the lists of frequent ones are as long as the table, however
 * rare the whole text is. A sample of rows tells which words are frequent.
 */
import { compileColumn, compileLogic, type CompileMatch } from './compile-filter.ts';
import type { SqlBuilder } from './compile-text.ts';
import { anyText, compareOperators, isPatternOperator, type Operation } from './plan.ts';
import type { PlannedLogic } from './read-plan.ts';

/**
 * A word that stands in every second row of the sample is left out: without it an index finds twice as
 * many rows at most, and of a word that all rows hold it would read a list as long as the table.
 */
const frequent = 2;

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
  const pattern = patternOfWords(node.operation);
  if (pattern === null) return exact();
  const column = compileColumn(sql, alias, node.column);
  const comparison = `${column} ${compareOperators[pattern.operator]}`;
  const any = `'${anyText[pattern.operator]}'`;
  const each = sql.alias('w');
  const isRare =
    `select count(*) filter (where ${comparison} (${any} || ${each}.word || ${any})) * ${frequent} < count(*) ` +
    `from ${sample} as ${alias}`;
  const rareWords =
    `select ${any} || string_agg(${each}.word, ${any} order by ${each}.place) || ${any} ` +
    `from unnest(${sql.slot(pattern.words)}::text[]) with ordinality as ${each} (word, place) where (${isRare})`;
  return `${comparison} coalesce((${rareWords}), ${sql.slot(pattern.value)})`;
}

/** True where `compileRareWords` has words to choose from. */
export function hasWords(node: PlannedLogic): boolean {
  if (node.kind === 'group') return !node.negated && node.members.some(hasWords);
  return node.kind === 'condition' && patternOfWords(node.operation) !== null;
}

/** A comparison that holds where its pattern does; null without several words in it. */
function patternOfWords(operation: Operation) {
  if (operation.kind !== 'compare' || operation.negated) return null;
  const { operator, value, words } = operation;
  return words !== null && isPatternOperator(operator) ? { operator, value, words } : null;
}
