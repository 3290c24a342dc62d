/** A checked write: the target, what is written, and what is read back. */
import type { Slot } from './query-types.ts';
import type { ReadLevel } from './read-plan.ts';
import type { Column, Relation } from '../schema/relation.ts';

export interface Payload {
  /** Slot of the body's text. */
  readonly body: Slot;
  readonly isArray: boolean;
  readonly columns: readonly Column[];
  /** Absent keys take the column's default. */
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
      /** PUT: the row must be the one that the filters name. */
      readonly keyed: boolean;
    }
  | { readonly kind: 'update'; readonly payload: Payload }
  | { readonly kind: 'delete' };

export interface WritePlan {
  readonly relation: Relation;
  readonly action: WriteAction;
  /** Root filters choose the rows to write, or name the row of a PUT; items and order shape what is returned. */
  readonly level: ReadLevel;
  readonly returning: 'nothing' | 'key' | 'rows';
}
