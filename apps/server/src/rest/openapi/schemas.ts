/** Types, columns and arguments in the words of OpenAPI 2.0, as PostgREST writes them. */
import type { VisibleRelation, VisibleRoutine } from './visible-objects.ts';
import type { Relation } from '../schema/relation.ts';
import type { Relationship } from '../schema/relationships.ts';
import type { Routine } from '../schema/routines.ts';

/** A part of the document; members that are undefined do not appear. */
export type OpenApiNode = Readonly<Record<string, unknown>>;

/** Points at another part of the document (RFC 6901, as a URI fragment). */
export function schemaRef(place: 'definitions' | 'parameters', name: string): OpenApiNode {
  const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return { $ref: `#/${place}/${encodeURIComponent(token)}` };
}

const types: Readonly<Record<string, string | undefined>> = {
  boolean: 'boolean',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  numeric: 'number',
  real: 'number',
  'double precision': 'number',
};

/** Type of a column or argument; undefined for JSON, which may be anything. */
function typeOf(format: string): string | undefined {
  if (format === 'json' || format === 'jsonb') return undefined;
  return format.endsWith('[]') ? 'array' : (types[format] ?? 'string');
}

export function valueSchema(format: string): OpenApiNode {
  const type = typeOf(format);
  return { format, type, items: type === 'array' ? { type: typeOf(format.slice(0, -2)) } : undefined };
}

/** An argument in a query string, where arrays and JSON are texts. */
export function queryArgument({ name, type, required, variadic }: Routine['arguments'][number]): OpenApiNode {
  const simple = typeOf(type);
  const shape = variadic
    ? { type: 'array', items: valueSchema(type.slice(0, -2)), collectionFormat: 'multi' }
    : { format: type, type: simple === undefined || simple === 'array' ? 'string' : simple };
  return { name, in: 'query', required, ...shape };
}

/** The arguments as an object, for a body. */
export function argumentsSchema({ arguments: known }: Routine, { comment }: VisibleRoutine): OpenApiNode {
  return {
    type: 'object',
    description: comment ?? undefined,
    required: listed(known.filter(({ required }) => required).map(({ name }) => name)),
    properties: Object.fromEntries(known.map(({ name, type }) => [name, valueSchema(type)])),
  };
}

/** @param keys foreign keys of one column whose target the caller may see */
export function relationSchema(
  relation: Relation,
  visible: VisibleRelation,
  keys: readonly Relationship[],
): OpenApiNode {
  const properties = visible.columns.flatMap(({ name, comment, labels, maxLength }) => {
    const column = relation.columns.get(name);
    if (!column) return [];
    const schema: OpenApiNode = {
      description: columnDescription(relation, name, comment, keys),
      enum: labels ?? undefined,
      maxLength: maxLength ?? undefined,
      default: column.default === null ? undefined : defaultValue(column.baseType, column.default),
      ...valueSchema(column.baseType),
    };
    return [[name, schema] as const];
  });
  return {
    type: 'object',
    description: visible.comment ?? undefined,
    required: listed(visible.columns.filter(({ required }) => required).map(({ name }) => name)),
    properties: Object.fromEntries(properties),
  };
}

/** The specification has no empty list here. */
function listed(names: readonly string[]): readonly string[] | undefined {
  return names.length > 0 ? names : undefined;
}

function columnDescription(
  { primaryKey }: Relation,
  name: string,
  comment: string | null,
  keys: readonly Relationship[],
): string | undefined {
  const notes: string[] = primaryKey.includes(name) ? ['This is a Primary Key.<pk/>'] : [];
  const key = keys.find(({ pairs }) => pairs[0]?.[0] === name);
  if (key) {
    const table = key.target.name;
    const column = key.pairs[0]?.[1] ?? '';
    notes.push(`This is a Foreign Key to \`${table}.${column}\`.<fk table='${table}' column='${column}'/>`);
  }
  if (notes.length === 0) return comment ?? undefined;
  return `${comment === null ? '' : `${comment}\n\n`}${['Note:', ...notes].join('\n')}`;
}

/** A default as a plain value; for texts also an expression, so that tools know the column may be left out. */
function defaultValue(format: string, expression: string): unknown {
  if (typeOf(format) === 'string') {
    const literal = expression.endsWith(`::${format}`) ? expression.slice(0, -`::${format}`.length) : null;
    return literal === null ? expression : literal.replace(/^'+|'+$/g, '');
  }
  try {
    return JSON.parse(expression) as unknown;
  } catch {
    return undefined;
  }
}
