/**
 * Types shared by the parser, the checker and the compiler. A request is parsed into tokens, checked against the schema
 * cache and compiled into one statement. Plans refer to values by slot and never contain them, so one plan serves all
 * requests of the same shape.
 */

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];
/** Methods that change rows of a relation. */
export type WriteMethod = Exclude<Method, 'GET' | 'HEAD' | 'OPTIONS'>;

/** Position in the request's list of values. */
export type Slot = number;

/** Value of a slot. Always bound as a parameter, never written into SQL. */
export type SlotValue = string | number | null;

export interface JsonStep {
  readonly arrow: '->' | '->>';
  readonly key: string;
  /** True if the key is an array index. */
  readonly isIndex: boolean;
}

/** A column, optionally with a path into its JSON value. */
export interface Field {
  readonly name: string;
  readonly path: readonly JsonStep[];
}

export const compareOperators = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
} as const;
export type CompareOperator = keyof typeof compareOperators;

/** Operators whose value is a pattern, each with its wildcard for any text. */
export const wildcardPatterns = { like: '%', ilike: '%', match: '.*', imatch: '.*' } as const;
export type PatternOperator = keyof typeof wildcardPatterns;

/** Returns true for operators whose value is a pattern. */
export function isPatternOperator(operator: string): operator is PatternOperator {
  return Object.hasOwn(wildcardPatterns, operator);
}

export const textSearchOperators = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const;
export type TextSearchOperator = keyof typeof textSearchOperators;

export const isOperands = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const;
type IsTest = keyof typeof isOperands;

export type Quantifier = 'any' | 'all';

export type Operation = { readonly negated: boolean } & (
  | {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly quantifier: Quantifier | null;
      readonly value: Slot;
      /** Cost of the elements of a quantified list, in points. */
      readonly listCost: number;
      /** Words of a pattern (`extractPatternWords`); null without words. */
      readonly words: Slot | null;
      readonly hasSeveralWords: boolean;
      /** Pattern for `like` on a text column (`toLikePattern`); null for other patterns and operators. */
      readonly likePattern: Slot | null;
    }
  | { readonly kind: 'in'; readonly value: Slot; readonly listCost: number }
  | { readonly kind: 'is'; readonly test: IsTest }
  | {
      readonly kind: 'text_search';
      readonly operator: TextSearchOperator;
      readonly configuration: Slot | null;
      readonly value: Slot;
    }
);

export interface Condition {
  readonly kind: 'condition';
  readonly field: Field;
  readonly operation: Operation;
}

export interface LogicGroup {
  readonly kind: 'group';
  readonly operator: 'and' | 'or';
  readonly negated: boolean;
  readonly members: readonly LogicNode[];
}

export type LogicNode = Condition | LogicGroup;

export type Aggregate = 'sum' | 'avg' | 'count' | 'max' | 'min';

export interface SelectColumn {
  readonly kind: 'column';
  /** `*` means all columns. The name is empty for `count()`, which counts rows. */
  readonly field: Field;
  readonly alias: string | null;
  readonly cast: string | null;
  readonly aggregate: Aggregate | null;
  readonly aggregateCast: string | null;
}

export interface SelectEmbed {
  readonly kind: 'embed';
  readonly target: string;
  readonly alias: string | null;
  readonly hint: string | null;
  readonly inner: boolean;
  /** True for a spread embed: its columns are part of the parent. */
  readonly spread: boolean;
  readonly items: readonly SelectItem[];
}

export type SelectItem = SelectColumn | SelectEmbed;

export interface OrderTerm {
  readonly field: Field;
  /** Name of the embed whose column orders the parent; null for a column of the parent. */
  readonly embed: string | null;
  readonly direction: 'asc' | 'desc' | null;
  readonly nulls: 'first' | 'last' | null;
}

export const explainOptions = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;

/** Format and options of EXPLAIN. */
export interface ExplainFormat {
  readonly format: 'json' | 'text';
  readonly options: readonly (typeof explainOptions)[number][];
}
