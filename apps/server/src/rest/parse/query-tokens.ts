/**
 * First step: the query string becomes tokens, a list of values, and a shape. Two requests with the
 * same shape differ only in their values, so everything after this step is done once per shape.
 */
import { bracketDepth } from '@lanternrock/postgres/json-depth';
import { ApiError } from '../../errors.ts';
import { parseLogic } from './logic.ts';
import { parseOperatorPrefix, parseFilterValue, type AddValue } from './filter-value.ts';
import { emptyPatternUsage } from './pattern-limits.ts';
import type { LogicGroup, LogicNode, Operation, Slot, SlotValue } from '../plan/query-types.ts';
import { limitError, parseError } from './scanner.ts';

interface FilterToken {
  /** Still a text: `embed.column->>key`. */
  readonly key: string;
  readonly operation: Operation;
}

interface LogicToken {
  readonly path: readonly string[];
  readonly tree: LogicGroup;
}

interface WindowToken {
  readonly path: readonly string[];
  /** Part of the shape: a page's length decides its plan, and there are few lengths. */
  readonly limit: number | null;
  readonly offset: Slot | null;
}

export interface QueryTokens {
  readonly select: string | null;
  readonly columns: string | null;
  readonly onConflict: string | null;
  readonly filters: readonly FilterToken[];
  readonly logic: readonly LogicToken[];
  /** Order texts by dotted embed path; '' is the root. */
  readonly orders: ReadonlyMap<string, string>;
  readonly windows: ReadonlyMap<string, WindowToken>;
  /** Arguments of a function called by GET, in order; a name may repeat. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly values: readonly SlotValue[];
  readonly shape: string;
  /** The query with its parameters in order of their names, for `Content-Location`. */
  readonly sorted: string;
}

export interface QueryLimits {
  readonly logicDepth: number;
  readonly maxRows: number;
  /** True for functions called by GET: parameters without an operator are arguments. */
  readonly call: boolean;
}

const parameterLimit = 1000;

/** Deepest nesting inside a value, whatever Postgres reads it as: JSON, a pattern, a text search. */
const deepestValue = 64;

/**
 * @param query the text behind `?`, still encoded
 * @throws ApiError 400 PGRST100; 416 PGRST103 for a negative limit
 */
export function tokenizeQuery(query: string, limits: QueryLimits): QueryTokens {
  const pairs = decodePairs(query);
  const reader = new QueryReader(limits);
  for (const [key, value] of pairs) {
    if (bracketDepth(value) > deepestValue + limits.logicDepth) {
      throw limitError('query string', `values nested at most ${deepestValue} levels deep`);
    }
    reader.read(key, value);
  }
  return reader.finish(pairs);
}

class QueryReader {
  readonly #limits: QueryLimits;
  readonly #values: SlotValue[] = [];
  readonly #reserved = new Map<string, string>();
  readonly #filters: FilterToken[] = [];
  readonly #logic: LogicToken[] = [];
  readonly #orders = new Map<string, string>();
  readonly #windows = new Map<string, WindowToken>();
  readonly #parameters: { name: string; value: string }[] = [];

  constructor(limits: QueryLimits) {
    this.#limits = limits;
  }

  read(key: string, value: string): void {
    if (key === 'select' || key === 'columns' || key === 'on_conflict') {
      if (!this.#reserved.has(key)) this.#reserved.set(key, value);
      return;
    }
    const segments = splitKey(key);
    const last = segments.at(-1);
    const path = segments.slice(0, -1);
    if (last === 'order') {
      if (!this.#orders.has(path.join('.'))) this.#orders.set(path.join('.'), value);
    } else if (last === 'limit' || last === 'offset') {
      this.#window(path, last, value);
    } else if (last === 'and' || last === 'or') {
      const tree = parseLogic(last, path.includes('not'), value, this.#keep, {
        depth: this.#limits.logicDepth,
        conditions: parameterLimit,
      });
      this.#logic.push({ path: path.filter((segment) => segment !== 'not'), tree });
    } else if (this.#limits.call && path.length === 0 && !parseOperatorPrefix(value)) {
      this.#parameters.push({ name: key, value });
    } else {
      this.#filters.push({ key, operation: parseFilterValue(value, this.#keep) });
    }
  }

  readonly #keep: AddValue = Object.assign((value: SlotValue) => this.#values.push(value) - 1, {
    patterns: emptyPatternUsage(),
  });

  #window(path: readonly string[], which: 'limit' | 'offset', text: string): void {
    const key = path.join('.');
    const known = this.#windows.get(key) ?? { path, limit: null, offset: null };
    if (!/^-?\d+$/.test(text)) {
      // A read ignores it; a write that has no limit must not.
      if (key === '') this.#windows.set(key, known);
      return;
    }
    const number = Number(text);
    if (which === 'limit' && number < 0) {
      throw new ApiError(416, 'PGRST103', 'Requested range not satisfiable', {
        details: 'Limit should be greater than or equal to zero.',
      });
    }
    const asked =
      which === 'limit'
        ? { limit: Math.min(number, this.#limits.maxRows) }
        : { offset: this.#keep(clampOffset(number)) };
    this.#windows.set(key, { ...known, ...asked });
  }

  finish(pairs: readonly (readonly [string, string])[]): QueryTokens {
    return {
      select: this.#reserved.get('select') ?? null,
      columns: this.#reserved.get('columns') ?? null,
      onConflict: this.#reserved.get('on_conflict') ?? null,
      filters: this.#filters,
      logic: this.#logic,
      orders: this.#orders,
      windows: this.#windows,
      parameters: this.#parameters,
      values: this.#values,
      shape: this.#shape(),
      sorted: sortedQuery(pairs),
    };
  }

  /** Everything but the values; slots are part of it, because plans point at them. */
  #shape(): string {
    return JSON.stringify([
      [...this.#reserved],
      this.#filters.map(({ key, operation }) => [key, operation]),
      this.#logic.map(({ path, tree }) => [path, logicShape(tree)]),
      [...this.#orders],
      [...this.#windows.values()],
      this.#parameters.map(({ name }) => name),
    ]);
  }
}

function logicShape(node: LogicNode): unknown {
  return node.kind === 'condition'
    ? [node.field, node.operation]
    : [node.operator, node.negated, node.members.map(logicShape)];
}

function sortedQuery(pairs: readonly (readonly [string, string])[]): string {
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return new URLSearchParams(sorted.map(([key, value]): [string, string] => [key, value])).toString();
}

/** Offsets beyond what Postgres counts are as far behind the end as the largest one. */
function clampOffset(offset: number): number {
  return Math.min(Math.max(offset, 0), Number.MAX_SAFE_INTEGER);
}

/** Segments between dots; dots inside quotes do not separate. */
function splitKey(key: string): string[] {
  if (!key.includes('"')) return key.split('.');
  const segments: string[] = [];
  let current = '';
  let quoted = false;
  for (let at = 0; at < key.length; at += 1) {
    const character = key.charAt(at);
    if (character === '\\' && quoted) {
      current += key.charAt(at + 1);
      at += 1;
    } else if (character === '"') quoted = !quoted;
    else if (character === '.' && !quoted) {
      segments.push(current);
      current = '';
    } else current += character;
  }
  return [...segments, current];
}

function decodePairs(query: string): [string, string][] {
  const pairs: [string, string][] = [];
  if (query === '') return pairs;
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    // A parameter without a value asks for nothing.
    if (equals < 0) continue;
    pairs.push([decode(part.slice(0, equals)), decode(part.slice(equals + 1))]);
    if (pairs.length > parameterLimit) {
      throw limitError('query string', `at most ${parameterLimit} parameters`);
    }
  }
  return pairs;
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw parseError('query string', text, 0, 'percent-encoded UTF-8');
  }
  // Postgres has no text with this character.
  if (decoded.includes('\0')) throw parseError('query string', text, 0, 'text without NUL');
  return decoded;
}
