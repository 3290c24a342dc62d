/** Shared parameters of the operations in the OpenAPI document. */
import type { DocumentedRelation } from './visible-objects.ts';
import { toSchemaRef, type OpenApiNode } from './schemas.ts';

/** Returns a reference to a shared parameter. */
export const toParameterRef = (name: string): OpenApiNode => toSchemaRef('parameters', name);

/** Returns the body and filter parameters of a relation. */
export function relationParameters({ cached, visible }: DocumentedRelation): [string, OpenApiNode][] {
  const { name } = cached;
  return [
    [
      `body.${name}`,
      { name, in: 'body', description: name, required: false, schema: toSchemaRef('definitions', name) },
    ],
    ...visible.columns.map((column): [string, OpenApiNode] => [
      `rowFilter.${name}.${column.name}`,
      {
        ...textParameter(column.name, 'query', column.comment ?? undefined),
        format: cached.columns.get(column.name)?.baseType,
      },
    ]),
  ];
}

function textParameter(
  name: string,
  location: 'query' | 'header',
  description?: string,
  values?: readonly string[],
): OpenApiNode {
  return { name, in: location, description, required: false, type: 'string', enum: values };
}

const counts = ['count=exact', 'count=planned', 'count=estimated'];
const returns = ['return=minimal', 'return=headers-only', 'return=representation'];
const resolutions = ['resolution=ignore-duplicates', 'resolution=merge-duplicates'];

export const sharedParameters: readonly (readonly [string, OpenApiNode])[] = [
  ['select', textParameter('select', 'query', 'Filtering Columns')],
  ['columns', textParameter('columns', 'query', 'Columns To Write')],
  ['on_conflict', textParameter('on_conflict', 'query', 'On Conflict')],
  ['order', textParameter('order', 'query', 'Ordering')],
  ['offset', textParameter('offset', 'query', 'Limiting and Pagination')],
  ['limit', textParameter('limit', 'query', 'Limiting and Pagination')],
  ['preferCount', textParameter('Prefer', 'header', 'Preference', counts)],
  ['preferReturn', textParameter('Prefer', 'header', 'Preference', returns)],
  ['preferPost', textParameter('Prefer', 'header', 'Preference', [...returns, ...resolutions])],
];
