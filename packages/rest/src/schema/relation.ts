/** A table or view in the schema cache. */
import type { DatabaseRole } from '../rest-types.ts';
import type { Grants } from './grants.ts';

export interface Column {
  /** `attnum` of the catalog. */
  readonly number: number;
  readonly name: string;
  /** Declared type, with schema. */
  readonly type: string;
  /** Base type of a domain, otherwise the type itself, as `format_type` writes it. */
  readonly baseType: string;
  /** SQL expression from the catalog; null without a default and for generated columns. */
  readonly default: string | null;
  readonly visibleTo: readonly DatabaseRole[];
  readonly grants: Grants;
}

interface ComputedColumn {
  readonly baseType: string;
  readonly grants: Grants;
}

export interface Relation {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** Also true for a materialized view. */
  readonly isView: boolean;
  /** True for relations that store rows themselves and can be sampled: ordinary tables and materialized views. */
  readonly hasPages: boolean;
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  readonly primaryKey: readonly string[];
  readonly columns: ReadonlyMap<string, Column>;
  /** Functions of the row that can be read like a column. */
  readonly computedColumns: ReadonlyMap<string, ComputedColumn>;
  /** Request roles with a direct privilege. Hints for other roles do not name this relation. */
  readonly visibleTo: readonly DatabaseRole[];
  /** Roles that can read all rows and columns, so an estimated count discloses nothing to them. */
  readonly fullyReadableBy: readonly DatabaseRole[];
  readonly grants: Grants;
}
