/** Words that every match of a pattern holds, one behind the other. */
import { arrayLiteral } from './array-literal.ts';
import type { PatternOperator } from '../plan/query-types.ts';

/** Characters that mean themselves, and escaped ones that are neither letters nor digits. */
const plainExpression = /^(?:[^\\^$.*+?()[\]{}|]|\\[^\p{L}\p{N}])*$/u;

/** A shorter word has no trigram that an index could look up. */
const word = /[\p{L}\p{N}]{3,}/gu;

/** Where these stand, the lower case of a letter depends on its neighbours, which a word is cut from. */
const contextual = /[Σ\p{M}]/u;

/** Most words of one pattern; more would only narrow further what they find. */
const mostWords = 8;

/**
 * @param pattern in Postgres' notation
 * @returns at least two words as an array in Postgres' notation; null where there are fewer, and for
 *   patterns in which characters mean something else than themselves
 */
export function extractPatternWords(operator: PatternOperator, pattern: string): string | null {
  const isExpression = operator === 'match' || operator === 'imatch';
  if (isExpression && !plainExpression.test(pattern)) return null;
  // Expressions are compared character by character, `ilike` by the lower case of whole texts.
  if (operator === 'ilike' && contextual.test(pattern)) return null;
  const found = pattern.match(word) ?? [];
  return found.length < 2 ? null : arrayLiteral(found.slice(0, mostWords));
}
