/** Finds the patterns with words, of which a search removes the frequent ones (`compileRareWords`). */
import { isPatternOperator, type PatternOperator, type Slot } from './query-types.ts';
import type { PlannedLogic } from './read-plan.ts';

/**
 * Maximum number of patterns whose words are sampled; with more, no words are removed. Each one adds a subquery, and its words are
 * further regular expressions: a request can contain 20 (`patternLimits`), and Postgres caches 32.
 */
const maxPatterns = 6;

type PlannedCondition = Extract<PlannedLogic, { kind: 'condition' }>;

/** A pattern whose words can be sampled. */
export interface WordPattern {
  readonly operator: PatternOperator;
  readonly value: Slot;
  readonly words: Slot;
  readonly hasSeveralWords: boolean;
}

/** Returns true if the statement samples the words of the patterns in these conditions. */
export function hasSampledWords(nodes: readonly PlannedLogic[]): boolean {
  const combined = new Set<PlannedLogic>(
    listCombinedPatterns(nodes).flatMap((conditions) => conditions.map(({ node }) => node)),
  );
  const patterns = nodes.reduce((sum, node) => sum + countPatterns(node, combined), combined.size);
  return patterns > 0 && patterns <= maxPatterns;
}

/** A condition whose pattern can be sampled. */
export interface WordCondition {
  readonly node: PlannedCondition;
  readonly pattern: WordPattern;
}

/**
 * Returns the conditions whose patterns can be sampled together, by column: a row must match all of them, or all of those of an
 * `and` group. Columns with one word are left out.
 */
export function listCombinedPatterns(
  nodes: readonly PlannedLogic[],
): readonly (readonly [WordCondition, ...WordCondition[]])[] {
  return [...combineByColumn(nodes), ...nodes.flatMap(listGroupPatterns)];
}

/** A search can send a group for each word, also for a word with one condition. */
function unwrap(node: PlannedLogic): PlannedLogic {
  if (node.kind !== 'group' || node.negated) return node;
  const [only] = node.members;
  return only !== undefined && node.members.length === 1 ? unwrap(only) : node;
}

function listGroupPatterns(group: PlannedLogic): ReturnType<typeof listCombinedPatterns> {
  const node = unwrap(group);
  if (node.kind !== 'group' || node.negated) return [];
  return node.operator === 'and'
    ? listCombinedPatterns(node.members)
    : node.members.flatMap(listGroupPatterns);
}

function combineByColumn(nodes: readonly PlannedLogic[]): ReturnType<typeof listCombinedPatterns> {
  const columns = new Map<string, [WordCondition, ...WordCondition[]]>();
  for (const node of nodes.map(unwrap)) {
    const pattern = node.kind === 'condition' ? findWordPattern(node) : null;
    if (node.kind !== 'condition' || pattern === null) continue;
    const key = JSON.stringify([node.column.name, node.column.path]);
    const condition = { node, pattern };
    const others = columns.get(key);
    if (others === undefined) columns.set(key, [condition]);
    else others.push(condition);
  }
  return [...columns.values()].filter(
    (conditions) => conditions.length > 1 || conditions[0].pattern.hasSeveralWords,
  );
}

/** Returns the number of further patterns with several words. */
function countPatterns(node: PlannedLogic, combined: ReadonlySet<PlannedLogic>): number {
  if (node.kind === 'match' || combined.has(node)) return 0;
  if (node.kind === 'condition') return findWordPattern(node)?.hasSeveralWords === true ? 1 : 0;
  return node.negated ? 0 : node.members.reduce((sum, member) => sum + countPatterns(member, combined), 0);
}

/** Returns the pattern of a condition whose words can be sampled: not negated, on text. Null for other conditions. */
export function findWordPattern({ column, operation }: PlannedCondition): WordPattern | null {
  if (operation.kind !== 'compare' || operation.negated || !column.isText) return null;
  const { operator, value, words, hasSeveralWords } = operation;
  return words !== null && isPatternOperator(operator) ? { operator, value, words, hasSeveralWords } : null;
}
