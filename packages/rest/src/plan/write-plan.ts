/** Plan of a write: the target, the written columns and the returned rows. */
import type { Slot } from './query-types.ts';
import type { ReadLevel } from './read-plan.ts';
import type { Column, Relation } from '../schema/relation.ts';

export interface Payload {
  /** Slot of the body text. */
  readonly body: Slot;
  readonly isArray: boolean;
  readonly columns: readonly Column[];
  /** True if missing keys get the default of the column (`Prefer: missing=default`). */
  readonly missingDefault: boolean;
}

export interface Conflict {
  readonly target: readonly string[];
  readonly action: 'merge' | 'ignore';
}

export type WriteAction =
  | {
      readonly kind: 'insert';
      readonly payload: Payload;
      readonly conflict: Conflict | null;
      /** True for PUT: the row must match the filters on the primary key. */
      readonly keyed: boolean;
    }
  | { readonly kind: 'update'; readonly payload: Payload }
  | { readonly kind: 'delete' };

export interface WritePlan {
  readonly relation: Relation;
  readonly action: WriteAction;
  /** Root filters select the rows to write, or identify the row of a PUT. Items and order apply to the returned rows. */
  readonly level: ReadLevel;
  readonly returning: 'nothing' | 'key' | 'rows';
}
