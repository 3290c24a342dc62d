/**
 * The words in which the steps of the data interface speak to each other. A request is read into
 * tokens, checked against the schema cache into a plan, and compiled into one statement. Values of
 * the request never appear in a plan: they wait in a list, and a plan points at them by slot, so
 * that one plan serves every request of the same shape.
 */

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];
/** Methods that change rows of a relation. */
export type WriteMethod = Exclude<Method, 'GET' | 'HEAD' | 'OPTIONS'>;

/** Position in the request's list of values. */
export type Slot = number;

/** What a slot may hold; bound as a parameter, never printed into SQL. */
export type SlotValue = string | number | null;

export interface JsonStep {
  readonly arrow: '->' | '->>';
  readonly key: string;
  /** True when the key is an array index. */
  readonly isIndex: boolean;
}

/** A column, optionally with the way into its JSON value. */
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

/** Operators whose value is a pattern, each with what stands in it for any text. */
export const wildcardPatterns = { like: '%', ilike: '%', match: '.*', imatch: '.*' } as const;
export type PatternOperator = keyof typeof wildcardPatterns;

export function isPatternOperator(operator: string): operator is PatternOperator {
  return Object.hasOwn(wildcardPatterns, operator);
}

export const searchOperators = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const;
export type SearchOperator = keyof typeof searchOperators;

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
      /** Words of a pattern, where it holds several (`literalWords`). */
      readonly words: Slot | null;
    }
  | { readonly kind: 'in'; readonly value: Slot }
  | { readonly kind: 'is'; readonly test: IsTest }
  | {
      readonly kind: 'search';
      readonly operator: SearchOperator;
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
  /** `*` stands for all columns. Empty for `count()`, which counts rows. */
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
  /** Spread: the columns appear in the parent. */
  readonly spread: boolean;
  readonly items: readonly SelectItem[];
}

export type SelectItem = SelectColumn | SelectEmbed;

export interface OrderTerm {
  readonly field: Field;
  /** Name of the embed whose column orders the parent. */
  readonly embed: string | null;
  readonly direction: 'asc' | 'desc' | null;
  readonly nulls: 'first' | 'last' | null;
}

export const explainOptions = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;

/** How Postgres tells its query plan. */
export interface ExplainFormat {
  readonly format: 'json' | 'text';
  readonly options: readonly (typeof explainOptions)[number][];
}
