/** Finds the patterns of several words, whose frequent words a search removes (`compileRareWords`). */
import { isPatternOperator, type PatternOperator, type Slot } from './query-types.ts';
import type { PlannedLogic } from './read-plan.ts';

/**
 * Maximum number of patterns with several words; with more, no words are removed. Each one adds a subquery, and its words are
 * further regular expressions: a request can contain 20 (`patternLimits`), and Postgres caches 32.
 */
const maxPatterns = 6;

/** A pattern whose words can be sampled. */
interface WordPattern {
  readonly operator: PatternOperator;
  readonly value: Slot;
  readonly words: Slot;
}

/** Returns true if the statement samples the words of the patterns in these conditions. */
export function hasSampledWords(nodes: readonly PlannedLogic[]): boolean {
  const patterns = nodes.reduce((sum, node) => sum + countPatterns(node), 0);
  return patterns > 0 && patterns <= maxPatterns;
}

function countPatterns(node: PlannedLogic): number {
  if (node.kind === 'match') return 0;
  if (node.kind === 'condition') return findWordPattern(node) === null ? 0 : 1;
  return node.negated ? 0 : node.members.reduce((sum, member) => sum + countPatterns(member), 0);
}

/**
 * Returns the pattern of a condition whose words can be sampled: not negated, on text, with at least two words. Null for other
 * conditions.
 */
export function findWordPattern({
  column,
  operation,
}: Extract<PlannedLogic, { kind: 'condition' }>): WordPattern | null {
  if (operation.kind !== 'compare' || operation.negated || !column.isText) return null;
  const { operator, value, words } = operation;
  return words !== null && isPatternOperator(operator) ? { operator, value, words } : null;
}
