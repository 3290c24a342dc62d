/** Extracts the words that each match of a pattern contains, in order, and converts patterns without special syntax. */
import { arrayLiteral } from './array-literal.ts';
import type { PatternOperator } from '../plan/query-types.ts';

/** Matches regular expressions without special syntax: literal characters and escaped punctuation. */
const plainExpression = /^(?:[^\\^$.*+?()[\]{}|]|\\[^\p{L}\p{N}])*$/u;

/** Returns the LIKE pattern that matches the same texts, in less time; null for expressions with special syntax. */
export function toLikePattern(expression: string): string | null {
  if (!plainExpression.test(expression)) return null;
  const text = expression.replace(/\\(.)/gsu, '$1');
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Shorter words contain no trigram that an index can look up. */
const word = /[\p{L}\p{N}]{3,}/gu;

/**
 * Next to these characters, the lower case of a letter depends on its neighbors, which are not part of an extracted
 * word.
 */
const contextDependent = /[Σ\p{M}]/u;

/** Maximum number of words per pattern. Omitted words only widen the result of the index. */
const maxWords = 8;

/**
 * Returns the words of a pattern.
 *
 * @param pattern in the syntax of Postgres
 * @returns an array literal of the words and their number; null without words and for patterns with special syntax
 */
export function extractPatternWords(
  operator: PatternOperator,
  pattern: string,
): { readonly words: string; readonly count: number } | null {
  const isExpression = operator === 'match' || operator === 'imatch';
  if (isExpression && !plainExpression.test(pattern)) return null;
  // Regular expressions compare single characters; `ilike` compares the lower case of whole texts.
  if (operator === 'ilike' && contextDependent.test(pattern)) return null;
  const words = pattern.match(word) ?? [];
  return words.length === 0 ? null : { words: arrayLiteral(words.slice(0, maxWords)), count: words.length };
}
