/**
 * Catalog queries of the schema cache. They run with an empty search path, so types and default expressions are
 * schema-qualified and valid with any search path. Each query returns one JSON text.
 */
import { type Statement, sql } from '@lanternrock/postgres';
import { databaseRoles } from '../rest-types.ts';
import { grantsSql, holders } from './grants.ts';

/**
 * Settings of the catalog queries. The empty search path qualifies all names. After five executions Postgres would use a
 * generic plan, which takes ten times as long. JIT compilation takes seconds for queries that run for milliseconds.
 */
export const catalogSettings: Statement = sql`
  select set_config('search_path', '', true), set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('jit', 'off', true)`;

/** Common table expressions of the queries. `$1`: the request roles, `$3`: as in `holders`. */
const catalogTables = `with recursive base_types as (
    select oid, oid as base from pg_catalog.pg_type where typtype <> 'd'
    union all
    select t.oid, b.base from pg_catalog.pg_type t join base_types b on t.typbasetype = b.oid where t.typtype = 'd'
  ), roles as (
    select rolname::text as name, rolbypassrls or rolsuper as bypasses from pg_catalog.pg_roles where rolname = any($1::name[])
  ), ${holders}`;

const relationRight = (privilege: string): string =>
  `has_schema_privilege(h.holder, n.oid, 'usage') and has_any_column_privilege(h.holder, c.oid, '${privilege}')`;
const columnRight = (privilege: string): string =>
  `has_column_privilege(h.holder, c.oid, a.attnum, '${privilege}')`;

const relationGrants = grantsSql({
  select: relationRight('select'),
  insert: relationRight('insert'),
  update: relationRight('update'),
  delete: `has_schema_privilege(h.holder, n.oid, 'usage') and has_table_privilege(h.holder, c.oid, 'delete')`,
});
const columnGrants = grantsSql({
  select: columnRight('select'),
  insert: columnRight('insert'),
  update: columnRight('update'),
});

/** Relations with their columns, keys and privileges. Partitions are excluded; clients use the partitioned table. */
export const relationsQuery = (schemas: readonly string[], elevatedRoles: readonly string[]): Statement => ({
  text: `
  ${catalogTables}
  select coalesce(json_agg(relation), '[]')::text from (
    select c.oid::text as oid, n.nspname as schema, c.relname as name, c.relkind::text as kind,
      c.relkind in ('r', 'p') or pg_catalog.pg_relation_is_updatable(c.oid::regclass, true) & 8 = 8 as insertable,
      c.relkind in ('r', 'p') or pg_catalog.pg_relation_is_updatable(c.oid::regclass, true) & 4 = 4 as updatable,
      c.relkind in ('r', 'p') or pg_catalog.pg_relation_is_updatable(c.oid::regclass, true) & 16 = 16 as deletable,
      coalesce((
        select json_agg(a.attname order by k.position)
          from pg_catalog.pg_constraint p
          cross join lateral unnest(p.conkey) with ordinality as k (attnum, position)
          join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
          where p.conrelid = c.oid and p.contype = 'p'
      ), '[]') as "primaryKey",
      coalesce((
        select json_agg(r.name) from roles r
          where has_any_column_privilege(r.name, c.oid, 'select, insert, update')
            or has_table_privilege(r.name, c.oid, 'delete')
      ), '[]') as "visibleTo",
      ${relationGrants} as grants,
      coalesce((
        select json_agg(r.name) from roles r
          where c.relkind in ('r', 'p', 'm') and (r.bypasses or not c.relrowsecurity)
            and has_table_privilege(r.name, c.oid, 'select')
      ), '[]') as "fullyReadableBy",
      coalesce((
        select json_agg(json_build_object(
            'number', a.attnum,
            'name', a.attname,
            'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
            'baseType', pg_catalog.format_type(b.base, null),
            'default', case
              when a.attidentity = 'd'
                then 'nextval(' || quote_literal(pg_catalog.pg_get_serial_sequence(c.oid::regclass::text, a.attname)) || ')'
              when a.attidentity = 'a' or a.attgenerated <> '' then null
              else pg_catalog.pg_get_expr(d.adbin, d.adrelid)
            end,
            'visibleTo', coalesce((
              select json_agg(r.name) from roles r
                where has_column_privilege(r.name, c.oid, a.attnum, 'select, insert, update')
            ), '[]'),
            'grants', ${columnGrants}
          ) order by a.attnum)
          from pg_catalog.pg_attribute a
          join base_types b on b.oid = a.atttypid
          left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      ), '[]') as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and n.nspname = any($2::name[])
  ) relation`,
  values: [databaseRoles, schemas, elevatedRoles],
});

/**
 * Foreign keys of all tables outside the system schemas, because exposed views can refer to tables that are not
 * exposed.
 */
export const foreignKeysQuery = sql`
  select coalesce(json_agg(key), '[]')::text from (
    select f.conname as name, f.conrelid::text as "fromOid", f.confrelid::text as "toOid",
      (select json_agg(json_build_array(k.referencing, k.referenced) order by k.position)
        from unnest(f.conkey, f.confkey) with ordinality as k (referencing, referenced, position)) as pairs,
      exists (
        select from pg_catalog.pg_constraint u
          where u.conrelid = f.conrelid and u.contype in ('p', 'u')
            and u.conkey @> f.conkey and u.conkey <@ f.conkey
      ) as "oneToOne"
    from pg_catalog.pg_constraint f
    join pg_catalog.pg_namespace n on n.oid = f.connamespace
    where f.contype = 'f' and f.conparentid = 0 and n.nspname not in ('pg_catalog', 'information_schema')
    order by f.conname
  ) key`;

/** Stored queries of all views, because exposed views can refer to views that are not exposed. */
export const viewsQuery = sql`
  select coalesce(json_agg(v), '[]')::text from (
    select c.oid::text as oid, r.ev_action::text as action
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
    where c.relkind in ('v', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
  ) v`;

/** Primary keys of all tables, by column number, because exposed views can refer to tables that are not exposed. */
export const primaryKeysQuery = sql`
  select coalesce(json_agg(p), '[]')::text from (
    select c.conrelid::text as oid, c.conkey as columns
    from pg_catalog.pg_constraint c
    join pg_catalog.pg_namespace n on n.oid = c.connamespace
    where c.contype = 'p' and n.nspname not in ('pg_catalog', 'information_schema')
  ) p`;

/**
 * Functions that a request role can execute. Functions of extensions are excluded: they can access files, other servers
 * or arbitrary SQL, and their grants were not made for an HTTP API.
 */
export const routinesQuery = (schemas: readonly string[], elevatedRoles: readonly string[]): Statement => ({
  text: `
  ${catalogTables}
  select coalesce(json_agg(routine), '[]')::text from (
    select p.oid::text as oid, n.nspname as schema, p.proname as name, p.provolatile::text as volatility,
      coalesce(pg_catalog.obj_description(p.oid, 'pg_proc'), '') as comment,
      (select split_part(c.entry, '=', 2) from unnest(p.proconfig) as c (entry) where c.entry like 'statement\\_timeout=%')
        as "statementTimeout",
      p.proretset as "returnsSet", p.prorows as rows, p.pronargs - p.pronargdefaults as required,
      coalesce((
        select json_agg(json_build_object(
            'name', coalesce(a.name, ''),
            'type', pg_catalog.format_type(a.type, null),
            'mode', coalesce(a.mode, 'i'),
            'relation', t.typrelid::text
          ) order by a.position)
          from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes::text[], p.proargnames)
            with ordinality as a (type, mode, name, position)
          join pg_catalog.pg_type t on t.oid = a.type
      ), '[]') as arguments,
      rt.typtype::text as "returnKind", rt.typname as "returnName",
      pg_catalog.format_type(b.base, null) as "returnBaseType", rt.typrelid::text as "returnRelation",
      coalesce((
        select json_agg(a.attname order by a.attnum) from pg_catalog.pg_attribute a
          where rt.typrelid <> 0 and a.attrelid = rt.typrelid and a.attnum > 0 and not a.attisdropped
      ), '[]') as "returnColumns",
      coalesce((select json_agg(r.name) from roles r
        where has_function_privilege(r.name, p.oid, 'execute') and has_schema_privilege(r.name, n.oid, 'usage')
      ), '[]') as "visibleTo",
      ${grantsSql({
        execute: `has_function_privilege(h.holder, p.oid, 'execute') and has_schema_privilege(h.holder, n.oid, 'usage')`,
      })} as grants
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join base_types b on b.oid = p.prorettype
    join pg_catalog.pg_type rt on rt.oid = b.base
    where p.prokind = 'f' and n.nspname = any($2::name[])
      and rt.typname not in ('trigger', 'event_trigger', 'internal', 'cstring', 'language_handler', 'fdw_handler',
        'index_am_handler', 'table_am_handler', 'tsm_handler')
      and not exists (select from pg_catalog.pg_depend d where d.objid = p.oid and d.deptype = 'e')
  ) routine where grants::text <> '{}'`,
  values: [databaseRoles, schemas, elevatedRoles],
});

/**
 * Types of casts. Excludes pseudo-types and types whose input looks up names in the catalog. `grows`: a type with numbers
 * in its values, whose output for `1e131071` has 131,072 digits.
 */
export const typesQuery = (schemas: readonly string[]): Statement => sql`
  with recursive parts as (
    select typelem as part, oid as whole from pg_catalog.pg_type where typelem <> 0
    union all select typbasetype, oid from pg_catalog.pg_type where typbasetype <> 0
    union all select rngsubtype, unnest(array[rngtypid, rngmultitypid]) from pg_catalog.pg_range
  ), growing as (
    select oid from pg_catalog.pg_type where typtype = 'c' or oid in ('numeric'::regtype, 'jsonb'::regtype, 'jsonpath'::regtype)
    union
    select whole from parts join growing on part = oid
  )
  select coalesce(json_agg(type), '[]')::text from (
    select n.nspname as schema, t.typname as name, pg_catalog.format_type(t.oid, null) as spelling,
      t.oid in (select oid from growing) as grows
    from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    where t.typtype in ('b', 'd', 'e', 'r', 'm')
      and (n.nspname = 'pg_catalog' or n.nspname = any(${schemas}::name[]))
      and t.typname !~ '^_?(reg|pg_|aclitem|refcursor|xid|cid|tid|txid|gtsvector)'
    order by n.nspname <> 'pg_catalog'
  ) type`;

/** `statement_timeout` of the request roles. A setting for this database takes precedence. */
export const roleTimeoutsQuery = sql`
  select coalesce(json_object_agg(role, setting), '{}')::text from (
    select distinct on (r.rolname) r.rolname::text as role, split_part(c.entry, '=', 2) as setting
    from pg_catalog.pg_roles r
    join pg_catalog.pg_db_role_setting s on s.setrole = r.oid
    left join pg_catalog.pg_database d on d.oid = s.setdatabase
    cross join lateral unnest(s.setconfig) as c (entry)
    where r.rolname = any(${databaseRoles}::name[]) and c.entry like 'statement\\_timeout=%'
      and (s.setdatabase = 0 or d.datname = current_database())
    order by r.rolname, s.setdatabase desc
  ) timeout`;

/** The PostGIS function that converts a row to a GeoJSON feature. */
export const geoJsonQuery = sql`
  select (
    select json_build_object('schema', n.nspname, 'name', p.proname)
    from pg_catalog.pg_extension e
    join pg_catalog.pg_depend d on d.refobjid = e.oid and d.deptype = 'e'
    join pg_catalog.pg_proc p on p.oid = d.objid
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where e.extname = 'postgis' and p.proname = 'st_asgeojson'
      and p.proargtypes[0] = 'pg_catalog.record'::pg_catalog.regtype
  )::text`;
