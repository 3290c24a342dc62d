/** Parses logic trees: `(a.eq.1,not.b.is.null,and(c.gt.1,d.in.(1,2)))` (PostgREST documentation, "Logical operators"). */
import { parseOperand, parseOperatorPrefix, type AddValue } from './filter-value.ts';
import type { Condition, LogicGroup, LogicNode } from '../plan/query-types.ts';
import { Scanner } from './scanner.ts';

export interface LogicLimits {
  /** Maximum nesting depth of groups. */
  readonly depth: number;
  /** Maximum number of conditions in a tree. */
  readonly conditions: number;
}

const groupStart = /^(not\.)?(and|or)[ \t]*\(/;

/**
 * Parses the value of an `and` or `or` parameter.
 *
 * @throws RestError 400 PGRST100
 */
export function parseLogic(
  operator: 'and' | 'or',
  negated: boolean,
  text: string,
  addValue: AddValue,
  limits: LogicLimits,
): LogicGroup {
  const scanner: Scanner = new Scanner(text, 'logic tree');
  let conditions = 0;

  const group = (kind: 'and' | 'or', not: boolean, depth: number): LogicGroup => {
    if (depth > limits.depth) scanner.exceed(`at most ${limits.depth} levels of and/or`);
    scanner.expect('(');
    const members: LogicNode[] = [];
    do {
      scanner.skipSpaces();
      members.push(member(depth));
      scanner.skipSpaces();
    } while (scanner.take(','));
    scanner.expect(')');
    return { kind: 'group', operator: kind, negated: not, members };
  };

  const member = (depth: number): LogicNode => {
    const nested = groupStart.exec(scanner.text.slice(scanner.position, scanner.position + 12));
    if (!nested) return condition();
    scanner.position += nested[0].length - 1;
    return group(nested[2] as 'and' | 'or', nested[1] !== undefined, depth + 1);
  };

  const condition = (): Condition => {
    conditions += 1;
    if (conditions > limits.conditions) scanner.exceed(`at most ${limits.conditions} conditions`);
    const field = scanner.field();
    scanner.expect('.');
    const prefix = parseOperatorPrefix(scanner.text.slice(scanner.position, scanner.position + 80));
    if (!prefix) scanner.fail('"not" or an operator (eq, gt, ...)');
    scanner.position += prefix.length;
    return {
      kind: 'condition',
      field,
      operation: parseOperand(prefix, scanner, addValue, () => logicValue(scanner)),
    };
  };

  const tree = group(operator, negated, 1);
  if (!scanner.ended) scanner.fail('end of input');
  return tree;
}

/** Parses a value up to `,` or `)`. It can be quoted or a group in braces. */
function logicValue(scanner: Scanner): string {
  const start = scanner.position;
  const quoted = scanner.quoted();
  if (quoted !== null && (scanner.ended || ',)'.includes(scanner.peek()))) return quoted;
  scanner.position = start;
  const bracesHere = /\{[^{}]*\}/y;
  bracesHere.lastIndex = start;
  const braces = bracesHere.exec(scanner.text);
  if (braces) {
    scanner.position += braces[0].length;
    return braces[0];
  }
  return scanner.until(',)');
}
