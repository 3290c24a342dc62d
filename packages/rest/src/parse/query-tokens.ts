/**
 * Parses a query string into tokens, a list of values and a shape. Requests of the same shape differ only in their values,
 * so all later steps run once per shape.
 */
import { bracketDepth } from '@lanternrock/postgres/json-depth';
import { RestError } from '../errors.ts';
import { parseLogic } from './logic.ts';
import { splitKey, toKeyword, type KeySegment } from './query-key.ts';
import { parseOperatorPrefix, parseFilterValue, type AddValue } from './filter-value.ts';
import { emptyPatternUsage } from './pattern-limits.ts';
import type { LogicGroup, LogicNode, Operation, Slot, SlotValue } from '../plan/query-types.ts';
import { limitError, parseError } from './scanner.ts';

interface FilterToken {
  /** Unparsed key, for example `embed.column->>key`. */
  readonly key: string;
  readonly operation: Operation;
}

interface LogicToken {
  readonly path: readonly string[];
  readonly tree: LogicGroup;
}

interface OrderToken {
  readonly path: readonly string[];
  /** Unparsed terms. */
  readonly text: string;
}

interface LimitOffsetToken {
  readonly path: readonly string[];
  /** Part of the shape, because the page size determines the query plan and clients use few page sizes. */
  readonly limit: number | null;
  readonly offset: Slot | null;
}

export interface QueryTokens {
  readonly select: string | null;
  readonly columns: string | null;
  readonly onConflict: string | null;
  readonly filters: readonly FilterToken[];
  readonly logic: readonly LogicToken[];
  readonly orders: readonly OrderToken[];
  readonly limitOffsets: readonly LimitOffsetToken[];
  /** Arguments of a function called with GET, in order; names can be repeated. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly values: readonly SlotValue[];
  readonly shape: string;
  /** The query with its parameters sorted by name, for `Content-Location`. */
  readonly sorted: string;
}

export interface QueryLimits {
  readonly logicDepth: number;
  readonly maxRows: number;
  /** True for functions called with GET, where parameters without an operator are arguments. */
  readonly call: boolean;
}

const maxParameters = 1000;

/** Maximum bracket depth of a value, regardless of its type: JSON, pattern or text search. */
const maxValueDepth = 64;

/**
 * Parses a query string.
 *
 * @param query the text behind `?`, still encoded
 * @throws RestError 400 PGRST100; 416 PGRST103 for a negative limit
 */
export function tokenizeQuery(query: string, limits: QueryLimits): QueryTokens {
  const pairs = decodePairs(query);
  const reader = new QueryReader(limits);
  for (const [key, value] of pairs) {
    if (bracketDepth(value) > maxValueDepth + limits.logicDepth) {
      throw limitError('query string', `values nested at most ${maxValueDepth} levels deep`);
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
  readonly #orders = new Map<string, OrderToken>();
  readonly #limitOffsets = new Map<string, LimitOffsetToken>();
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
    const last = toKeyword(segments.at(-1));
    const path = segments.slice(0, -1).map(({ text }) => text);
    if (last === 'order') {
      const pathKey = JSON.stringify(path);
      if (!this.#orders.has(pathKey)) this.#orders.set(pathKey, { path, text: value });
    } else if (last === 'limit' || last === 'offset') {
      this.#readLimitOffset(path, last, value);
    } else if (last === 'and' || last === 'or') {
      const isNot = (segment: KeySegment): boolean => toKeyword(segment) === 'not';
      const negated = segments.some(isNot);
      const tree = parseLogic(last, negated, value, this.#addValue, {
        depth: this.#limits.logicDepth,
        conditions: maxParameters,
      });
      const embeds = segments.slice(0, -1).filter((segment) => !isNot(segment));
      this.#logic.push({ path: embeds.map(({ text }) => text), tree });
    } else if (this.#limits.call && path.length === 0 && !parseOperatorPrefix(value)) {
      this.#parameters.push({ name: key, value });
    } else {
      this.#filters.push({ key, operation: parseFilterValue(value, this.#addValue) });
    }
  }

  readonly #addValue: AddValue = Object.assign((value: SlotValue) => this.#values.push(value) - 1, {
    patterns: emptyPatternUsage(),
  });

  #readLimitOffset(path: readonly string[], parameter: 'limit' | 'offset', text: string): void {
    const key = JSON.stringify(path);
    const entry = this.#limitOffsets.get(key) ?? { path, limit: null, offset: null };
    if (!/^-?\d+$/.test(text)) {
      // Reads ignore an invalid limit. The entry lets writes reject it, because they do not support limits.
      if (path.length === 0) this.#limitOffsets.set(key, entry);
      return;
    }
    const number = Number(text);
    if (parameter === 'limit' && number < 0) {
      throw new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
        details: 'Limit should be greater than or equal to zero.',
      });
    }
    const parsed =
      parameter === 'limit'
        ? { limit: Math.min(number, this.#limits.maxRows) }
        : { offset: this.#addValue(clampOffset(number)) };
    this.#limitOffsets.set(key, { ...entry, ...parsed });
  }

  finish(pairs: readonly (readonly [string, string])[]): QueryTokens {
    return {
      select: this.#reserved.get('select') ?? null,
      columns: this.#reserved.get('columns') ?? null,
      onConflict: this.#reserved.get('on_conflict') ?? null,
      filters: this.#filters,
      logic: this.#logic,
      orders: [...this.#orders.values()],
      limitOffsets: [...this.#limitOffsets.values()],
      parameters: this.#parameters,
      values: this.#values,
      shape: this.#shape(),
      sorted: sortedQuery(pairs),
    };
  }

  /** Returns all tokens except the values. Slots are included, because plans refer to them. */
  #shape(): string {
    return JSON.stringify([
      [...this.#reserved],
      this.#filters.map(({ key, operation }) => [key, operation]),
      this.#logic.map(({ path, tree }) => [path, logicShape(tree)]),
      [...this.#orders.values()],
      [...this.#limitOffsets.values()],
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

/** Limits an offset to the range of safe integers. Larger offsets are behind the last row as well. */
function clampOffset(offset: number): number {
  return Math.min(Math.max(offset, 0), Number.MAX_SAFE_INTEGER);
}

function decodePairs(query: string): [string, string][] {
  const pairs: [string, string][] = [];
  if (query === '') return pairs;
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    // A parameter without `=` has no effect.
    if (equals < 0) continue;
    pairs.push([decode(part.slice(0, equals)), decode(part.slice(equals + 1))]);
    if (pairs.length > maxParameters) {
      throw limitError('query string', `at most ${maxParameters} parameters`);
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
  // Postgres does not support NUL in text.
  if (decoded.includes('\0')) throw parseError('query string', text, 0, 'text without NUL');
  return decoded;
}
