/** OpenAPI 2.0 schemas of types, columns and arguments, in the format of PostgREST. */
import type { VisibleRelation, VisibleRoutine } from './visible-objects.ts';
import type { Relation } from '../schema/relation.ts';
import type { Relationship } from '../schema/relationships.ts';
import type { Routine } from '../schema/routines.ts';

/** A node of the document. `JSON.stringify` omits undefined members. */
export type OpenApiNode = Readonly<Record<string, unknown>>;

/** Returns a reference to another node of the document (JSON Pointer as a URI fragment, RFC 6901). */
export function toSchemaRef(section: 'definitions' | 'parameters', name: string): OpenApiNode {
  const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return { $ref: `#/${section}/${encodeURIComponent(token)}` };
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

/** Returns the OpenAPI type of a column or argument; undefined for JSON, which can be any type. */
function findOpenApiType(format: string): string | undefined {
  if (format === 'json' || format === 'jsonb') return undefined;
  return format.endsWith('[]') ? 'array' : (types[format] ?? 'string');
}

/** Returns the schema of a value of the type. */
export function buildValueSchema(format: string): OpenApiNode {
  const type = findOpenApiType(format);
  return {
    format,
    type,
    items: type === 'array' ? { type: findOpenApiType(format.slice(0, -2)) } : undefined,
  };
}

/** Returns the parameter of an argument in a query string, where arrays and JSON are strings. */
export function queryArgument({ name, type, required, variadic }: Routine['arguments'][number]): OpenApiNode {
  const plainType = findOpenApiType(type);
  const shape = variadic
    ? { type: 'array', items: buildValueSchema(type.slice(0, -2)), collectionFormat: 'multi' }
    : { format: type, type: plainType === undefined || plainType === 'array' ? 'string' : plainType };
  return { name, in: 'query', required, ...shape };
}

/** Returns the schema of the arguments as one JSON object in the body. */
export function buildArgumentsSchema({ arguments: args }: Routine, { comment }: VisibleRoutine): OpenApiNode {
  return {
    type: 'object',
    description: comment ?? undefined,
    required: undefinedIfEmpty(args.filter(({ required }) => required).map(({ name }) => name)),
    properties: Object.fromEntries(args.map(({ name, type }) => [name, buildValueSchema(type)])),
  };
}

/**
 * Returns the schema of a row of a relation.
 *
 * @param keys single-column foreign keys whose target column is visible to the client
 */
export function buildRelationSchema(
  relation: Relation,
  visible: VisibleRelation,
  keys: readonly Relationship[],
): OpenApiNode {
  const properties = visible.columns.flatMap(({ name, comment, labels, maxLength }) => {
    const column = relation.columns.get(name);
    if (!column) return [];
    const schema: OpenApiNode = {
      description: describeColumn(relation, name, comment, keys),
      enum: labels ?? undefined,
      maxLength: maxLength ?? undefined,
      default: column.default === null ? undefined : defaultValue(column.baseType, column.default),
      ...buildValueSchema(column.baseType),
    };
    return [[name, schema] as const];
  });
  return {
    type: 'object',
    description: visible.comment ?? undefined,
    required: undefinedIfEmpty(visible.columns.filter(({ required }) => required).map(({ name }) => name)),
    properties: Object.fromEntries(properties),
  };
}

/** OpenAPI 2.0 forbids an empty `required` list. */
function undefinedIfEmpty(names: readonly string[]): readonly string[] | undefined {
  return names.length > 0 ? names : undefined;
}

function describeColumn(
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

/**
 * Returns the default as a JSON value. For strings, expressions are included, so tools know that the column is
 * optional.
 */
function defaultValue(format: string, expression: string): unknown {
  if (findOpenApiType(format) === 'string') {
    const literal = expression.endsWith(`::${format}`) ? expression.slice(0, -`::${format}`.length) : null;
    return literal === null ? expression : literal.replace(/^'+|(?<!')'+$/g, '');
  }
  try {
    return JSON.parse(expression) as unknown;
  } catch {
    return undefined;
  }
}
