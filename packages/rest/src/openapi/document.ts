/** Builds the OpenAPI 2.0 document of a schema, in the format of PostgREST. */
import type { DocumentedObject, VisibleObjects } from './visible-objects.ts';
import { relationParameters, sharedParameters } from './parameters.ts';
import { buildRelationPath, buildRoutinePath, rowMediaTypes, splitComment } from './paths.ts';
import { buildRelationSchema, type OpenApiNode } from './schemas.ts';
import type { Relation } from '../schema/relation.ts';
import type { SchemaCache } from '../schema/schema-cache.ts';

export interface OpenApiInfo {
  readonly name: string;
  /** Base URL of the Data API. */
  readonly url: URL;
}

/**
 * Builds the document of the objects that are visible to the client.
 *
 * @param visible objects visible to the client; all others are omitted, also as targets of foreign keys
 */
export function buildOpenApiDocument(
  cache: SchemaCache,
  schema: string,
  visible: VisibleObjects,
  { name, url }: OpenApiInfo,
): OpenApiNode {
  const relations = matchVisible([...cache.relationsOf(schema)], visible.relations);
  const routines = matchVisible([...cache.routinesOf(schema)], visible.routines);
  const visibleColumns = new Map(
    relations.map((relation) => [
      relation.cached,
      new Set(relation.visible.columns.map((column) => column.name)),
    ]),
  );
  const isVisible = (target: Relation, column: string | undefined): boolean =>
    column !== undefined && (visibleColumns.get(target)?.has(column) ?? false);
  const { summary, description } = splitComment(visible.comment);
  return {
    swagger: '2.0',
    info: {
      title: summary ?? `${name}: ${schema}`,
      description: description ?? 'The relations and functions that are available to the client.',
      version: 'v1',
    },
    host: url.host,
    basePath: url.pathname,
    schemes: [url.protocol.slice(0, -1)],
    consumes: ['application/json', 'text/csv', 'application/x-www-form-urlencoded'],
    produces: [...rowMediaTypes, 'text/csv'],
    paths: Object.fromEntries([
      ['/', { get: rootOperation }],
      ...relations.map((relation) => [`/${relation.cached.name}`, buildRelationPath(relation)]),
      ...routines.map((routine) => [`/rpc/${routine.cached.name}`, buildRoutinePath(routine)]),
    ]),
    definitions: Object.fromEntries(
      relations.map((relation) => {
        const keys = cache
          .relationshipsOf(relation.cached)
          .filter(
            ({ ownsKey, pairs, target }) => ownsKey && pairs.length === 1 && isVisible(target, pairs[0]?.[1]),
          )
          .toSorted((a, b) => Number(a.target.isView) - Number(b.target.isView));
        return [relation.cached.name, buildRelationSchema(relation.cached, relation.visible, keys)];
      }),
    ),
    parameters: Object.fromEntries([...sharedParameters, ...relations.flatMap(relationParameters)]),
    securityDefinitions: {
      JWT: {
        type: 'apiKey',
        name: 'Authorization',
        in: 'header',
        description: 'Add the token prepending "Bearer " (without quotes) to it',
      },
    },
    security: [{ JWT: [] }],
  };
}

function matchVisible<Cached extends { readonly oid: string }, Visible extends { readonly oid: string }>(
  all: readonly Cached[],
  visible: readonly Visible[],
): DocumentedObject<Cached, Visible>[] {
  const byOid = new Map(all.map((object) => [object.oid, object]));
  return visible.flatMap((object) => {
    const cached = byOid.get(object.oid);
    return cached ? [{ cached, visible: object }] : [];
  });
}

const rootOperation: OpenApiNode = {
  tags: ['Introspection'],
  summary: 'OpenAPI description (this document)',
  produces: ['application/openapi+json', 'application/json'],
  responses: { 200: { description: 'OK' } },
};
