/** The parameters that the operations of a description share. */
import type { DocumentedRelation } from './paths.ts';
import { schemaRef, type OpenApiNode } from './schemas.ts';

export const parameterRef = (name: string): OpenApiNode => schemaRef('parameters', name);

export function relationParameters({ known, seen }: DocumentedRelation): [string, OpenApiNode][] {
  const { name } = known;
  return [
    [
      `body.${name}`,
      { name, in: 'body', description: name, required: false, schema: schemaRef('definitions', name) },
    ],
    ...seen.columns.map((column): [string, OpenApiNode] => [
      `rowFilter.${name}.${column.name}`,
      {
        ...text(column.name, 'query', column.comment ?? undefined),
        format: known.columns.get(column.name)?.baseType,
      },
    ]),
  ];
}

function text(
  name: string,
  place: 'query' | 'header',
  description?: string,
  values?: readonly string[],
): OpenApiNode {
  return { name, in: place, description, required: false, type: 'string', enum: values };
}

const counts = ['count=exact', 'count=planned', 'count=estimated'];
const returns = ['return=minimal', 'return=headers-only', 'return=representation'];
const resolutions = ['resolution=ignore-duplicates', 'resolution=merge-duplicates'];

export const sharedParameters: readonly (readonly [string, OpenApiNode])[] = [
  ['select', text('select', 'query', 'Filtering Columns')],
  ['columns', text('columns', 'query', 'Columns To Write')],
  ['on_conflict', text('on_conflict', 'query', 'On Conflict')],
  ['order', text('order', 'query', 'Ordering')],
  ['offset', text('offset', 'query', 'Limiting and Pagination')],
  ['limit', text('limit', 'query', 'Limiting and Pagination')],
  ['preferCount', text('Prefer', 'header', 'Preference', counts)],
  ['preferReturn', text('Prefer', 'header', 'Preference', returns)],
  ['preferPost', text('Prefer', 'header', 'Preference', [...returns, ...resolutions])],
];
