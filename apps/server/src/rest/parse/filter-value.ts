/** Filter values: `[not.]operator[(modifier)].value`, wire contract "Filters". */
import { extractPatternWords } from './pattern-words.ts';
import { arrayElements, arrayLiteral } from './array-literal.ts';
import { checkPattern, type PatternUsage } from './pattern-limits.ts';
import {
  compareOperators,
  isPatternOperator,
  isOperands,
  searchOperators,
  type CompareOperator,
  type Operation,
  type Quantifier,
  type SearchOperator,
  type SlotValue,
} from '../plan/query-types.ts';
import { Scanner, parseError } from './scanner.ts';

const head = /^(not\.)?([a-z]+)(?:\(([^()]*)\))?\./;
const quantified = new Set<string>(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch']);
const has = <T extends object>(table: T, key: string): key is Extract<keyof T, string> =>
  Object.hasOwn(table, key);

/** Most elements of one `in` list. */
const listLimit = 10_000;

/** More of them make Postgres' parser of text searches fail as if the server were broken. */
const tooManyNegations = /(?:!\s*){30}/;

/** Most words of one text search, which Postgres works through recursively. */
const mostWords = 500;

/** What stands in front of a value, and how much of the text it takes. */
interface OperationHead {
  readonly negated: boolean;
  readonly operator: CompareOperator | SearchOperator | 'in' | 'is';
  readonly modifier: string | null;
  readonly length: number;
}

/** Reads the operator in front of a value; null when the text does not start with one. */
export function parseOperatorPrefix(text: string): OperationHead | null {
  const match = head.exec(text);
  if (!match) return null;
  const [whole, not, operator = '', modifier] = match;
  const known =
    has(compareOperators, operator) ||
    has(searchOperators, operator) ||
    operator === 'in' ||
    operator === 'is';
  if (!known) return null;
  if (modifier !== undefined && !modifierFits(operator, modifier)) return null;
  return {
    negated: not !== undefined,
    operator,
    modifier: modifier ?? null,
    length: whole.length,
  };
}

function modifierFits(operator: string, modifier: string): boolean {
  if (has(searchOperators, operator)) return /^[\w-]+$/.test(modifier);
  return quantified.has(operator) && (modifier === 'any' || modifier === 'all');
}

/** Puts a value into the request's list and tells its slot. */
export interface AddValue {
  (value: SlotValue): number;
  /** What the request's patterns cost so far; grows with each. */
  readonly patterns: PatternUsage;
}

/**
 * Reads the whole value of a filter parameter.
 * @throws ApiError 400 PGRST100
 */
export function parseFilterValue(text: string, keep: AddValue): Operation {
  const found = parseOperatorPrefix(text);
  if (!found) throw parseError('filter', text, 0, '"not" or an operator (eq, gt, ...)');
  const scanner: Scanner = new Scanner(text, 'filter');
  scanner.position = found.length;
  const operation = parseOperand(found, scanner, keep, () => {
    const rest = text.slice(scanner.position);
    scanner.position = text.length;
    return rest;
  });
  if (!scanner.ended) scanner.fail('the end of the list');
  return operation;
}

/** Reads the value behind an operator; `readValue` knows where a plain value ends. */
export function parseOperand(
  { negated, operator, modifier }: OperationHead,
  scanner: Scanner,
  keep: AddValue,
  readValue: () => string,
): Operation {
  if (operator === 'in') return { kind: 'in', negated, value: keep(parseList(scanner)) };
  if (operator === 'is') {
    const at = scanner.position;
    const test = readValue().toLowerCase();
    if (!has(isOperands, test)) {
      scanner.position = at;
      scanner.fail('null, not_null, true, false or unknown');
    }
    return { kind: 'is', negated, test };
  }
  if (has(searchOperators, operator)) {
    const configuration = modifier === null ? null : keep(modifier);
    const query = readValue();
    if (tooManyNegations.test(query)) scanner.exceed('fewer negations in a row');
    if ((query.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) > mostWords)
      scanner.exceed(`at most ${mostWords} words`);
    return { kind: 'search', negated, operator, configuration, value: keep(query) };
  }
  const text = readValue();
  if (operator === 'match' || operator === 'imatch') {
    for (const pattern of modifier === null ? [text] : arrayElements(text)) {
      const problem = checkPattern(pattern, keep.patterns);
      if (problem !== null) scanner.exceed(problem);
    }
  }
  const value = operator === 'like' || operator === 'ilike' ? text.replaceAll('*', '%') : text;
  const words =
    isPatternOperator(operator) && modifier === null ? extractPatternWords(operator, value) : null;
  return {
    kind: 'compare',
    negated,
    operator,
    quantifier: modifier as Quantifier | null,
    value: keep(value),
    words: words === null ? null : keep(words),
  };
}

/** `(a,"b,c",d)` as an array in Postgres' notation. */
function parseList(scanner: Scanner): string {
  scanner.expect('(');
  if (scanner.take(')')) return arrayLiteral([]);
  const elements: string[] = [];
  do {
    elements.push(listElement(scanner));
    if (elements.length > listLimit) scanner.exceed(`at most ${listLimit} elements`);
  } while (scanner.take(','));
  scanner.expect(')');
  return arrayLiteral(elements);
}

/** Quoted, or raw up to the next separator; quotes that do not span the element are ordinary characters. */
function listElement(scanner: Scanner): string {
  const start = scanner.position;
  const quoted = scanner.quoted();
  if (quoted !== null && (scanner.ended || ',)'.includes(scanner.peek()))) return quoted;
  scanner.position = start;
  return scanner.until(',)');
}
