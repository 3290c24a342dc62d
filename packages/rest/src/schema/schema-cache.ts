/**
 * The schema cache: relations, relationships, functions and types of the exposed schemas. All names in generated SQL come
 * from here; a request can only select among them.
 */
import type { Database } from '@lanternrock/postgres';
import { databaseRoles, type DatabaseRole } from '../rest-types.ts';
import { isUsable } from './grants.ts';
import { groupBy } from './group-by.ts';
import type { Column, Relation } from './relation.ts';
import { deriveRelationships, type ForeignKeyRow, type Relationship } from './relationships.ts';
import { bySignature, deriveRoutines, isCallable, type Routine, type RoutineRow } from './routines.ts';
import {
  catalogSettings,
  foreignKeysQuery,
  geoJsonQuery,
  primaryKeysQuery,
  relationsQuery,
  roleTimeoutsQuery,
  routinesQuery,
  typesQuery,
  viewsQuery,
} from './schema-cache-queries.ts';
import { quoteQualifiedName } from './quote-identifier.ts';
import { parseTimeoutMs } from './parse-timeout.ts';
import { parseLineage, resolveLineages, type ColumnLineage } from './view-lineage.ts';

export interface SchemaCache {
  /** The query results as JSON text. Two caches with equal text are equal. */
  readonly source: string;
  /** `statement_timeout` by role, in milliseconds; null for no timeout. Roles without the setting have no entry. */
  readonly timeouts: ReadonlyMap<string, number | null>;
  relation(schema: string, name: string): Relation | undefined;
  relationsOf(schema: string): Iterable<Relation>;
  /** Returns the relationships of a relation to all targets. */
  relationshipsOf(relation: Relation): readonly Relationship[];
  routines(schema: string, name: string): readonly Routine[];
  routinesOf(schema: string): Iterable<Routine>;
  /** Returns the SQL of a type that a request can cast to; null for a type whose output can be far longer than its input. */
  castType(name: string): string | null | undefined;
  /** SQL name of the PostGIS function that converts a row to a GeoJSON feature; null without PostGIS. */
  readonly asGeoJson: string | null;
  /** Returns true if the role has a privilege on any relation or function of the schema. */
  mayUse(role: DatabaseRole, schema: string): boolean;
}

interface RelationRow extends Omit<Relation, 'isView' | 'hasPages' | 'columns' | 'computedColumns'> {
  readonly kind: string;
  readonly columns: readonly Column[];
}

interface ViewRow {
  readonly oid: string;
  readonly action: string;
}

interface PrimaryKeyRow {
  readonly oid: string;
  readonly columns: readonly number[];
}

interface TypeRow {
  readonly schema: string;
  readonly name: string;
  readonly spelling: string;
  readonly grows: boolean;
}

/**
 * Loads the schema cache in one round trip.
 *
 * @param extraSearchPath further schemas of the search path; their functions and types are loaded as well
 * @param elevatedRoles further roles whose privileges requests of the role `authenticated` can use
 * @throws DatabaseUnavailableError
 */
export async function loadSchemaCache(
  database: Database,
  schemas: readonly string[],
  extraSearchPath: readonly string[],
  elevatedRoles: readonly string[],
): Promise<SchemaCache> {
  const searchPath = [...new Set([...schemas, ...extraSearchPath])];
  const [, ...texts] = (
    await database.batch([
      catalogSettings,
      relationsQuery(schemas, elevatedRoles),
      foreignKeysQuery,
      viewsQuery,
      primaryKeysQuery,
      routinesQuery(searchPath, elevatedRoles),
      typesQuery(searchPath),
      roleTimeoutsQuery,
      geoJsonQuery,
    ])
  ).map(({ rows }) => rows[0]?.[0] ?? 'null');
  const [
    relationRows,
    foreignKeyRows,
    viewRows,
    primaryKeyRows,
    routineRows,
    typeRows,
    timeoutRows,
    geoJsonRow,
  ] = texts.map((typeSql): unknown => JSON.parse(typeSql)) as [
    RelationRow[],
    ForeignKeyRow[],
    ViewRow[],
    PrimaryKeyRow[],
    RoutineRow[],
    TypeRow[],
    Record<string, string>,
    { readonly schema: string; readonly name: string } | null,
  ];
  const lineages = resolveLineages(new Map(viewRows.map(({ oid, action }) => [oid, parseLineage(action)])));
  const tableKeys = new Map(primaryKeyRows.map(({ oid, columns }) => [oid, columns]));
  const relations = relationRows.map((row) => toRelation(row, lineages.get(row.oid), tableKeys, routineRows));
  const byOid = new Map(relations.map((relation) => [relation.oid, relation]));
  const routines = deriveRoutines(routineRows, byOid);
  return assemble({
    source: JSON.stringify(texts),
    relations,
    relationships: deriveRelationships(relations, foreignKeyRows, lineages, routines),
    routines: routines
      .filter((routine) => schemas.includes(routine.schema) && isCallable(routine))
      .toSorted(bySignature),
    types: typeNames(typeRows),
    asGeoJson: geoJsonRow && quoteQualifiedName(geoJsonRow),
    timeouts: new Map(Object.entries(timeoutRows).map(([role, setting]) => [role, parseTimeoutMs(setting)])),
  });
}

function toRelation(
  row: RelationRow,
  lineage: ColumnLineage | undefined,
  tableKeys: ReadonlyMap<string, readonly number[]>,
  routines: readonly RoutineRow[],
): Relation {
  return {
    ...row,
    isView: row.kind === 'v' || row.kind === 'm',
    hasPages: row.kind === 'r' || row.kind === 'm',
    primaryKey: lineage ? viewKey(row.columns, lineage, tableKeys) : row.primaryKey,
    columns: new Map(row.columns.map((column) => [column.name, column])),
    computedColumns: new Map(
      routines
        .filter(
          ({ arguments: args, returnsSet }) =>
            args.length === 1 && args[0]?.relation === row.oid && !returnsSet,
        )
        .map(({ name, returnBaseType, grants }) => [name, { baseType: returnBaseType, grants }]),
    ),
  };
}

/**
 * Returns the primary key of a view: that of a table whose key columns the view contains, if there is only one such
 * table.
 */
function viewKey(
  columns: readonly Column[],
  lineage: ColumnLineage,
  tableKeys: ReadonlyMap<string, readonly number[]>,
): string[] {
  const keys = [...new Set([...lineage.values()].map(({ oid }) => oid))].flatMap((oid) => {
    const names = (tableKeys.get(oid) ?? []).map((number) => {
      const viewColumn = columns.find((column) => {
        const origin = lineage.get(column.number);
        return origin?.oid === oid && origin.column === number;
      });
      return viewColumn?.name ?? null;
    });
    return names.length > 0 && !names.includes(null) ? [names.filter((name) => name !== null)] : [];
  });
  return keys.length === 1 ? (keys[0] ?? []) : [];
}

/** Returns the SQL of each type by the names that a request can use. */
function typeNames(rows: readonly TypeRow[]): Map<string, string | null> {
  const names = new Map<string, string | null>();
  for (const { schema, name, spelling, grows } of rows) {
    const builtIn = schema === 'pg_catalog';
    // `char` and `bit` without a length mean length 1. `format_type` keeps this meaning; a qualified `bpchar` would not.
    const sqlName = builtIn ? spelling : quoteQualifiedName({ schema, name });
    const typeSql = grows && sqlName !== 'numeric' ? null : sqlName;
    for (const typeName of builtIn ? [spelling, name] : [name]) {
      if (!names.has(typeName)) names.set(typeName, typeSql);
    }
  }
  for (const [alias, typeName] of [
    ['int', 'integer'],
    ['decimal', 'numeric'],
    ['char', 'character'],
    ['float', 'double precision'],
  ]) {
    const typeSql = names.get(typeName ?? '');
    if (alias !== undefined && typeSql !== undefined) names.set(alias, typeSql);
  }
  return names;
}

interface Catalog extends Pick<SchemaCache, 'source' | 'timeouts' | 'asGeoJson'> {
  readonly relations: readonly Relation[];
  readonly relationships: readonly Relationship[];
  readonly routines: readonly Routine[];
  /** SQL by the names that a request can use. */
  readonly types: ReadonlyMap<string, string | null>;
}

function assemble({ relations, relationships, routines, types, ...rest }: Catalog): SchemaCache {
  const key = (schema: string, name: string): string => JSON.stringify([schema, name]);
  const byName = new Map(relations.map((relation) => [key(relation.schema, relation.name), relation]));
  const byOrigin = groupBy(relationships, (relationship) => relationship.origin);
  const usable = new Set(
    [...relations, ...routines].flatMap(({ schema, grants }) =>
      databaseRoles.filter((role) => isUsable(grants, role)).map((role) => `${role} ${schema}`),
    ),
  );
  const routinesByName = groupBy(routines, (routine) => key(routine.schema, routine.name));
  return {
    ...rest,
    relation: (schema, name) => byName.get(key(schema, name)),
    relationsOf: (schema) => relations.filter((relation) => relation.schema === schema),
    relationshipsOf: (relation) => byOrigin.get(relation) ?? [],
    routines: (schema, name) => routinesByName.get(key(schema, name)) ?? [],
    routinesOf: (schema) => routines.filter((routine) => routine.schema === schema),
    castType: (name) => types.get(types.has(name.toLowerCase()) ? name.toLowerCase() : name),
    mayUse: (role, schema) => usable.has(`${role} ${schema}`),
  };
}
