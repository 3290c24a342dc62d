/** Query for the objects of a schema that are visible to the client; runs with the client's role, so grants decide. */
import { type Statement, sql } from '@lanternrock/postgres';
import type { Relation } from '../schema/relation.ts';

interface VisibleColumn {
  readonly name: string;
  readonly comment: string | null;
  readonly required: boolean;
  /** Labels of an enum type; null for other types. */
  readonly labels: readonly string[] | null;
  /** Maximum length in characters; null if the type has no limit. */
  readonly maxLength: number | null;
}

export interface VisibleRelation {
  readonly oid: string;
  readonly comment: string | null;
  readonly selects: boolean;
  readonly inserts: boolean;
  readonly updates: boolean;
  readonly deletes: boolean;
  readonly columns: readonly VisibleColumn[];
}

export interface VisibleRoutine {
  readonly oid: string;
  readonly comment: string | null;
}

/** A relation or function: its entry in the schema cache, and the parts that are visible to the client. */
export interface DocumentedObject<Cached, Visible> {
  readonly cached: Cached;
  readonly visible: Visible;
}
export type DocumentedRelation = DocumentedObject<Relation, VisibleRelation>;

export interface VisibleObjects {
  readonly comment: string | null;
  readonly relations: readonly VisibleRelation[];
  readonly routines: readonly VisibleRoutine[];
}

/** Returns the role with which a request runs. */
export const assumedRoleQuery: Statement = sql`select current_user::text`;

/** Returns one JSON object of type `VisibleObjects`, or no row if the role lacks USAGE on the schema. */
export const visibleObjectsQuery = (schema: string): Statement => sql`
  select json_build_object(
    'comment', pg_catalog.obj_description(n.oid, 'pg_namespace'),
    'relations', coalesce((
      select json_agg(json_build_object(
          'oid', c.oid::text,
          'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
          'selects', pg_catalog.has_any_column_privilege(c.oid, 'select'),
          'inserts', pg_catalog.has_any_column_privilege(c.oid, 'insert'),
          'updates', pg_catalog.has_any_column_privilege(c.oid, 'update'),
          'deletes', pg_catalog.has_table_privilege(c.oid, 'delete'),
          'columns', coalesce((
            select json_agg(json_build_object(
                'name', a.attname,
                'comment', pg_catalog.col_description(c.oid, a.attnum),
                'required', a.attnotnull or t.typnotnull,
                'labels', (
                  select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e
                    where e.enumtypid = coalesce(nullif(t.typbasetype, 0), t.oid)
                ),
                'maxLength', case
                  when coalesce(nullif(t.typbasetype, 0), t.oid) in ('varchar'::regtype, 'bpchar'::regtype)
                    then nullif(greatest(a.atttypmod, t.typtypmod), -1) - 4
                end
              ) order by a.attnum)
              from pg_catalog.pg_attribute a
              join pg_catalog.pg_type t on t.oid = a.atttypid
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select, insert, update')
          ), '[]')
        ) order by c.relname)
        from pg_catalog.pg_class c
        where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
          and (pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update')
            or pg_catalog.has_table_privilege(c.oid, 'delete'))
    ), '[]'),
    'routines', coalesce((
      select json_agg(json_build_object(
          'oid', p.oid::text, 'comment', pg_catalog.obj_description(p.oid, 'pg_proc')
        ) order by p.proname, p.oid)
        from pg_catalog.pg_proc p
        where p.pronamespace = n.oid and pg_catalog.has_function_privilege(p.oid, 'execute')
    ), '[]')
  )::text
  from pg_catalog.pg_namespace n
  where n.nspname = ${schema} and pg_catalog.has_schema_privilege(n.oid, 'usage')`;
