/**
 * Looks up relations, columns and types. Names for which the role has no privilege are reported as unknown, and hints
 * contain only names that the role can use.
 */
import { RestError } from '../errors.ts';
import type { DatabaseRole } from '../rest-types.ts';
import { hasPrivilege, isUsable, type Privilege } from '../schema/grants.ts';
import type { Field } from '../plan/query-types.ts';
import type { ColumnRef, ReadLevel } from '../plan/read-plan.ts';
import type { Column, Relation } from '../schema/relation.ts';
import type { SchemaCache } from '../schema/schema-cache.ts';
import { findClosestName } from './similarity.ts';

export interface CheckContext {
  readonly cache: SchemaCache;
  readonly schema: string;
  readonly role: DatabaseRole;
  /** True if aggregate functions are enabled. */
  readonly aggregates: boolean;
}

const textTypes = new Set(['text', 'character varying', 'character', 'name']);

/**
 * Returns the relation with this name.
 *
 * @throws RestError 404 PGRST205
 */
export function findRelation({ cache, schema, role }: CheckContext, name: string): Relation {
  const relation = cache.relation(schema, name);
  if (relation && isUsable(relation.grants, role)) return relation;
  const visible = [...cache.relationsOf(schema)].filter((candidate) => candidate.visibleTo.includes(role));
  const suggestion = findClosestName(
    name,
    visible.map((candidate) => candidate.name),
  );
  throw new RestError(404, 'PGRST205', `Could not find the table '${schema}.${name}' in the schema cache`, {
    hint: suggestion === null ? null : `Perhaps you meant the table '${schema}.${suggestion}'`,
  });
}

/** Returns the error of Postgres for a relation, or a column of it, for which the role lacks the privilege. */
export function permissionDeniedError(relation: Relation): RestError {
  const kind = relation.isView ? 'view' : 'table';
  return new RestError(403, '42501', `permission denied for ${kind} ${relation.name}`);
}

/** The rows of a level and their columns. */
export type LevelRows = Pick<ReadLevel, 'relation' | 'columnNames' | 'isReturned'>;

/** Returns the rows of a relation with all its columns. */
export function rootRows(relation: Relation, isReturned = false): LevelRows {
  return { relation, columnNames: [...relation.columns.keys()], isReturned };
}

/**
 * Returns a column for select, filter or order. Unknown names are rejected here, because Postgres would also resolve them
 * as functions of the row, and its hint would contain hidden columns.
 *
 * @throws RestError 400 42703; 403 42501 for a column that the role can only write
 */
export function findColumn(context: CheckContext, rows: LevelRows, field: Field): ColumnRef {
  const { relation } = rows;
  const column = relation?.columns.get(field.name);
  const baseType = (column ?? relation?.computedColumns.get(field.name))?.baseType ?? '';
  if (!canReadColumn(context, rows, field.name)) throw unknownColumnError(context, rows, field.name);
  return {
    name: field.name,
    path: field.path,
    isJson: column?.baseType === 'json' || column?.baseType === 'jsonb',
    isTsvector: column?.baseType === 'tsvector',
    isText: field.path.length > 0 ? field.path.at(-1)?.arrow === '->>' : textTypes.has(baseType),
  };
}

/**
 * Returns true for a column that the role can read, and for a function of the row that it can execute.
 *
 * @throws RestError 403 42501 for a column that the role can only write
 */
export function canReadColumn(
  { role }: CheckContext,
  { relation, columnNames, isReturned }: LevelRows,
  name: string,
): boolean {
  const computed = relation?.computedColumns.get(name);
  const column = relation?.columns.get(name);
  if (computed && !column) return isUsable(computed.grants, role);
  if (isReturned || !relation) return columnNames.includes(name);
  if (!column || !isUsable(column.grants, role)) return false;
  if (!hasPrivilege(column.grants, role, 'select')) throw permissionDeniedError(relation);
  return true;
}

function unknownColumnError({ role }: CheckContext, { relation }: LevelRows, name: string): RestError {
  // A function can return rows of a relation that is hidden from the role.
  const visibleRelation = relation && isUsable(relation.grants, role) ? relation : null;
  const qualified = visibleRelation ? `${visibleRelation.name}.${name}` : name;
  const suggestion = visibleRelation ? findClosestName(name, visibleColumns(visibleRelation, role)) : null;
  return new RestError(400, '42703', `column ${qualified} does not exist`, {
    hint:
      suggestion === null
        ? null
        : `Perhaps you meant to reference the column "${visibleRelation?.name}.${suggestion}".`,
  });
}

/**
 * Requires the SELECT privilege on columns that the statement reads and the request does not name.
 *
 * @throws RestError 403 42501
 */
export function requireReadable(
  { role }: CheckContext,
  relation: Relation,
  names: Iterable<string> = relation.columns.keys(),
): void {
  for (const name of names) {
    const column = relation.columns.get(name);
    if (column && !hasPrivilege(column.grants, role, 'select')) throw permissionDeniedError(relation);
  }
}

function visibleColumns(relation: Relation, role: DatabaseRole): string[] {
  return [...relation.columns.values()]
    .filter((column) => column.visibleTo.includes(role))
    .map(({ name }) => name);
}

/**
 * Returns a column that the body or `columns` names.
 *
 * @throws RestError 400 PGRST204; 403 42501 for a column that the role can use but not write
 */
export function findWritableColumn(
  { role }: CheckContext,
  relation: Relation,
  name: string,
  privilege: Privilege,
): Column {
  const column = relation.columns.get(name);
  if (column && hasPrivilege(column.grants, role, privilege)) return column;
  if (column && isUsable(column.grants, role)) throw permissionDeniedError(relation);
  throw new RestError(
    400,
    'PGRST204',
    `Could not find the '${name}' column of '${relation.name}' in the schema cache`,
  );
}

/**
 * Returns the SQL of the type with this name.
 *
 * @throws RestError 400 42704; 400 PGRST100 for a type whose output can be far longer than its input
 */
export function findCastType({ cache }: CheckContext, name: string): string {
  const type = cache.castType(name);
  if (type === null) {
    throw new RestError(400, 'PGRST100', `A cast to "${name}" is not supported`, {
      details: 'A short text with a number such as 1e131071 would become a large value.',
      hint: 'Cast to json, text, numeric or an integer type, or use the JSON operators -> and ->>.',
    });
  }
  if (type !== undefined) return type;
  throw new RestError(400, '42704', `type "${name}" does not exist`);
}
