/**
 * Lookups of relations, columns and types, and the refusals when there is none. A hint only names
 * what the caller's role may use; who may use nothing of a relation hears only that.
 */
import { Refusal } from '../../errors.ts';
import type { DatabaseRole } from '../../identity.ts';
import type { Field } from '../plan/plan.ts';
import type { ColumnRef, Level } from '../plan/read-plan.ts';
import type { Column, Relation } from '../schema/relation.ts';
import type { SchemaCache } from '../schema/schema-cache.ts';
import { closest } from './similarity.ts';

export interface CheckContext {
  readonly cache: SchemaCache;
  readonly schema: string;
  readonly role: DatabaseRole;
  /** Aggregate functions in select are switched on. */
  readonly aggregates: boolean;
}

/** Rows whose columns a request names. */
type NamedRows = Pick<Level, 'relation' | 'columnNames'>;

const textTypes = new Set(['text', 'character varying', 'character', 'name']);

/** @throws Refusal 404 PGRST205 */
export function findRelation({ cache, schema, role }: CheckContext, name: string): Relation {
  const relation = cache.relation(schema, name);
  if (relation) return relation;
  const visible = [...cache.relationsOf(schema)].filter((candidate) => candidate.visibleTo.has(role));
  const meant = closest(
    name,
    visible.map((candidate) => candidate.name),
  );
  throw new Refusal(404, 'PGRST205', `Could not find the table '${schema}.${name}' in the schema cache`, {
    hint: meant === null ? null : `Perhaps you meant the table '${schema}.${meant}'`,
  });
}

/** What Postgres answers for a relation of which the role may use nothing. */
export function permissionRefusal(relation: Relation): Refusal {
  const kind = relation.isView ? 'view' : 'table';
  return new Refusal(403, '42501', `permission denied for ${kind} ${relation.name}`);
}

/**
 * Columns that select, filter and order may name. Any other name is refused here: passed on, Postgres
 * would also read it as a function of the row, and its own hint would name hidden columns.
 * @throws Refusal 400 42703
 */
export function findColumn(context: CheckContext, level: NamedRows, field: Field): ColumnRef {
  const { relation } = level;
  if (!knowsColumn(level, field.name)) throw unknownColumn(context, relation, field.name);
  const column = relation?.columns.get(field.name);
  return {
    name: field.name,
    path: field.path,
    isJson: column?.baseType === 'json' || column?.baseType === 'jsonb',
    isSearchable: column?.baseType === 'tsvector',
    isText:
      field.path.length > 0 ? field.path.at(-1)?.arrow === '->>' : textTypes.has(column?.baseType ?? ''),
  };
}

/** True for columns and for functions of the row that are read like one. */
export function knowsColumn({ relation, columnNames }: NamedRows, name: string): boolean {
  return (
    columnNames.includes(name) ||
    relation?.columns.has(name) === true ||
    relation?.computedColumns.has(name) === true
  );
}

function unknownColumn({ role }: CheckContext, relation: Relation | null, name: string): Refusal {
  if (relation && !relation.visibleTo.has(role)) return permissionRefusal(relation);
  const qualified = relation ? `${relation.name}.${name}` : name;
  const meant = relation ? closest(name, visibleColumns(relation, role)) : null;
  return new Refusal(400, '42703', `column ${qualified} does not exist`, {
    hint: meant === null ? null : `Perhaps you meant to reference the column "${relation?.name}.${meant}".`,
  });
}

function visibleColumns(relation: Relation, role: DatabaseRole): string[] {
  return [...relation.columns.values()]
    .filter((column) => column.visibleTo.has(role))
    .map(({ name }) => name);
}

/**
 * Columns that a body or `columns` names.
 * @throws Refusal 400 PGRST204
 */
export function findWrittenColumn({ role }: CheckContext, relation: Relation, name: string): Column {
  const column = relation.columns.get(name);
  if (column) return column;
  if (!relation.visibleTo.has(role)) throw permissionRefusal(relation);
  throw new Refusal(
    400,
    'PGRST204',
    `Could not find the '${name}' column of '${relation.name}' in the schema cache`,
  );
}

/** @throws Refusal 400 42704 */
export function findCastType({ cache }: CheckContext, name: string): string {
  const type = cache.castType(name);
  if (type !== undefined) return type;
  throw new Refusal(400, '42704', `type "${name}" does not exist`);
}
