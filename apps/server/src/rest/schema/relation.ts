/** A table or view as the data interface knows it. */
import type { DatabaseRole } from '../../principal.ts';
import type { Grants } from './grants.ts';

export interface Column {
  readonly number: number;
  readonly name: string;
  /** As declared, with schema. */
  readonly type: string;
  /** The type behind a domain. */
  readonly baseType: string;
  /** SQL from the catalog; null when there is none or the database sets the value itself. */
  readonly default: string | null;
  readonly visibleTo: ReadonlySet<DatabaseRole>;
  readonly grants: Grants;
}

export interface Relation {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  /** Rows lie in pages of its own, as those of a table, or of a materialized view. */
  readonly hasPages: boolean;
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  readonly primaryKey: readonly string[];
  readonly columns: ReadonlyMap<string, Column>;
  /** Functions of the row that can be read like a column, with the roles that may execute them. */
  readonly computedColumns: ReadonlyMap<string, Grants>;
  /** Roles with any privilege of their own; hints for other roles do not contain its name. */
  readonly visibleTo: ReadonlySet<DatabaseRole>;
  /** Roles that may read every row and every column, so that an estimate of its size shows them nothing new. */
  readonly wholeFor: ReadonlySet<DatabaseRole>;
  readonly grants: Grants;
}
