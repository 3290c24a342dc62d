/** Parses filter keys and values: `[not.]operator[(modifier)].value` (PostgREST documentation, "Operators"). */
import { extractPatternWords, toLikePattern } from './pattern-words.ts';
import { arrayElements, arrayLiteral } from './array-literal.ts';
import { checkPattern, type PatternUsage } from './pattern-limits.ts';
import {
  compareOperators,
  isPatternOperator,
  isOperands,
  textSearchOperators,
  type CompareOperator,
  type Field,
  type Operation,
  type Quantifier,
  type TextSearchOperator,
  type SlotValue,
} from '../plan/query-types.ts';
import { Scanner, parseError } from './scanner.ts';

const operatorPrefix = /^(not\.)?([a-z]+)(?:\(([^()]*)\))?\./;
const quantified = new Set<string>(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch']);
const isKeyOf = <T extends object>(table: T, key: string): key is Extract<keyof T, string> =>
  Object.hasOwn(table, key);

/** Maximum number of elements of an `in` list. */
const maxListElements = 10_000;

/** Postgres fails with an internal error on text searches with more consecutive negations. */
const tooManyNegations = /(?:!\s*){30}/;

/** Maximum number of words of a text search, because Postgres evaluates the query recursively. */
const maxTextSearchWords = 500;
/** Words of a text, and operands of a query, which can be any character. */
const textSearchWords = [/[\p{L}\p{N}]+/gu, /[^\s&|!<>():]+/gu];

/** Parses a filter key such as `embed.column->>key`. All names except the last are the path of the embed. */
export function parseEmbedKey(key: string): { path: string[]; field: Field } {
  const scanner: Scanner = new Scanner(key, 'tree path');
  const names = [scanner.name()];
  while (scanner.take('.')) names.push(scanner.name());
  const path = scanner.jsonPath();
  if (!scanner.ended) scanner.fail('".", "->" or end of input');
  return { path: names.slice(0, -1), field: { name: names.at(-1) ?? '', path } };
}

/** Negation, operator and modifier in front of a value. */
interface OperatorPrefix {
  readonly negated: boolean;
  readonly operator: CompareOperator | TextSearchOperator | 'in' | 'is';
  readonly modifier: string | null;
  /** Length of the prefix in characters, including the last dot. */
  readonly length: number;
}

/** Parses the operator in front of a value; null if the text does not start with one. */
export function parseOperatorPrefix(text: string): OperatorPrefix | null {
  const match = operatorPrefix.exec(text);
  if (!match) return null;
  const [whole, not, operator = '', modifier] = match;
  const isKnown =
    isKeyOf(compareOperators, operator) ||
    isKeyOf(textSearchOperators, operator) ||
    operator === 'in' ||
    operator === 'is';
  if (!isKnown) return null;
  if (modifier !== undefined && !isValidModifier(operator, modifier)) return null;
  return {
    negated: not !== undefined,
    operator,
    modifier: modifier ?? null,
    length: whole.length,
  };
}

function isValidModifier(operator: string, modifier: string): boolean {
  if (isKeyOf(textSearchOperators, operator)) return /^[\w-]+$/.test(modifier);
  return quantified.has(operator) && (modifier === 'any' || modifier === 'all');
}

/** Adds a value to the values of the request and returns its slot. */
export interface AddValue {
  (value: SlotValue): number;
  /** Cost of all patterns of the request so far. */
  readonly patterns: PatternUsage;
}

/**
 * Parses the complete value of a filter parameter.
 *
 * @throws RestError 400 PGRST100
 */
export function parseFilterValue(text: string, addValue: AddValue): Operation {
  const prefix = parseOperatorPrefix(text);
  if (!prefix) throw parseError('filter', text, 0, '"not" or an operator (eq, gt, ...)');
  const scanner: Scanner = new Scanner(text, 'filter');
  scanner.position = prefix.length;
  const operation = parseOperand(prefix, scanner, addValue, () => {
    const rest = text.slice(scanner.position);
    scanner.position = text.length;
    return rest;
  });
  if (!scanner.ended) scanner.fail('the end of the list');
  return operation;
}

/** Parses the value behind an operator. `readValue` consumes a plain value up to its end. */
export function parseOperand(
  { negated, operator, modifier }: OperatorPrefix,
  scanner: Scanner,
  addValue: AddValue,
  readValue: () => string,
): Operation {
  if (operator === 'in') {
    const elements = parseList(scanner);
    const value = addValue(arrayLiteral(elements));
    return { kind: 'in', negated, value, listCost: listCost('in', elements.length) };
  }
  if (operator === 'is') {
    const start = scanner.position;
    const test = readValue().toLowerCase();
    if (!isKeyOf(isOperands, test)) {
      scanner.position = start;
      scanner.fail('null, not_null, true, false or unknown');
    }
    return { kind: 'is', negated, test };
  }
  if (isKeyOf(textSearchOperators, operator)) {
    const configuration = modifier === null ? null : addValue(modifier);
    const query = readValue();
    if (tooManyNegations.test(query)) scanner.exceed('fewer negations in a row');
    if (textSearchWords.some((words) => (query.match(words)?.length ?? 0) > maxTextSearchWords))
      scanner.exceed(`at most ${maxTextSearchWords} words`);
    return { kind: 'text_search', negated, operator, configuration, value: addValue(query) };
  }
  const text = readValue();
  const elements = modifier === null ? null : arrayElements(text);
  if (operator === 'match' || operator === 'imatch') {
    for (const pattern of elements ?? [text]) {
      const problem = checkPattern(pattern, addValue.patterns);
      if (problem !== null) scanner.exceed(problem);
    }
  }
  const value = operator === 'like' || operator === 'ilike' ? text.replaceAll('*', '%') : text;
  const words =
    isPatternOperator(operator) && modifier === null ? extractPatternWords(operator, value) : null;
  const likePattern = operator === 'match' && modifier === null ? toLikePattern(value) : null;
  return {
    kind: 'compare',
    negated,
    operator,
    quantifier: modifier as Quantifier | null,
    value: addValue(value),
    listCost:
      elements === null
        ? 0
        : isPatternOperator(operator)
          ? elements.length
          : listCost('quantified', elements.length),
    words: words === null ? null : addValue(words.words),
    hasSeveralWords: words !== null && words.count > 1,
    likePattern: likePattern === null ? null : addValue(likePattern),
  };
}

/** Number of elements of a list that cost a point. Limits are also compared with a histogram. */
const elementsPerPoint = { in: 10, quantified: 5 } as const;

/**
 * Returns the cost of the elements of a list, in points: the planner compares each with the statistics of the column. In
 * steps, because the plan of a request depends on it.
 */
function listCost(kind: keyof typeof elementsPerPoint, elements: number): number {
  return Math.ceil(elements / elementsPerPoint[kind]);
}

/** Parses `(a,"b,c",d)`. */
function parseList(scanner: Scanner): string[] {
  scanner.expect('(');
  if (scanner.take(')')) return [];
  const elements: string[] = [];
  do {
    elements.push(listElement(scanner));
    if (elements.length > maxListElements) scanner.exceed(`at most ${maxListElements} elements`);
  } while (scanner.take(','));
  scanner.expect(')');
  return elements;
}

/**
 * Parses a quoted element, or an unquoted one up to the next separator. Quotes inside an element are ordinary
 * characters.
 */
function listElement(scanner: Scanner): string {
  const start = scanner.position;
  const quoted = scanner.quoted();
  if (quoted !== null && (scanner.ended || ',)'.includes(scanner.peek()))) return quoted;
  scanner.position = start;
  return scanner.until(',)');
}
