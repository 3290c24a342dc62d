/** The OpenAPI 2.0 document of a schema, of the form that PostgREST gives it. */
import type { VisibleObjects } from './visible-objects.ts';
import { relationParameters, sharedParameters } from './parameters.ts';
import { relationPath, routinePath, rowMediaTypes, splitComment, type DocumentedObject } from './paths.ts';
import { relationSchema, type OpenApiNode } from './schemas.ts';
import type { Relation } from '../schema/relation.ts';
import type { SchemaCache } from '../schema/schema-cache.ts';

export interface OpenApiInfo {
  readonly name: string;
  /** Where the interface is mounted. */
  readonly url: URL;
}

/** @param visible what the caller may know; whatever is not in it does not appear, not even as a key's target */
export function buildOpenApiDocument(
  cache: SchemaCache,
  schema: string,
  visible: VisibleObjects,
  { name, url }: OpenApiInfo,
): OpenApiNode {
  const relations = pairUp([...cache.relationsOf(schema)], visible.relations);
  const routines = pairUp([...cache.routinesOf(schema)], visible.routines);
  const shown = new Map(
    relations.map(({ known, seen }) => [known, new Set(seen.columns.map(({ name: column }) => column))]),
  );
  const isShown = (target: Relation, column: string | undefined): boolean =>
    column !== undefined && (shown.get(target)?.has(column) ?? false);
  const { summary, description } = splitComment(visible.comment);
  return {
    swagger: '2.0',
    info: {
      title: summary ?? `${name}: ${schema}`,
      description: description ?? 'The data interface, as far as its caller may use it.',
      version: 'v1',
    },
    host: url.host,
    basePath: url.pathname,
    schemes: [url.protocol.slice(0, -1)],
    consumes: ['application/json', 'text/csv', 'application/x-www-form-urlencoded'],
    produces: [...rowMediaTypes, 'text/csv'],
    paths: Object.fromEntries([
      ['/', { get: rootOperation }],
      ...relations.map((relation) => [`/${relation.known.name}`, relationPath(relation)]),
      ...routines.map((routine) => [`/rpc/${routine.known.name}`, routinePath(routine)]),
    ]),
    definitions: Object.fromEntries(
      relations.map(({ known, seen }) => {
        const keys = cache
          .relationshipsOf(known)
          .filter(
            ({ ownsKey, pairs, target }) => ownsKey && pairs.length === 1 && isShown(target, pairs[0]?.[1]),
          )
          .toSorted((a, b) => Number(a.target.isView) - Number(b.target.isView));
        return [known.name, relationSchema(known, seen, keys)];
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

function pairUp<Known extends { readonly oid: string }, Seen extends { readonly oid: string }>(
  all: readonly Known[],
  visible: readonly Seen[],
): DocumentedObject<Known, Seen>[] {
  const byOid = new Map(all.map((known) => [known.oid, known]));
  return visible.flatMap((seen) => {
    const known = byOid.get(seen.oid);
    return known ? [{ known, seen }] : [];
  });
}

const rootOperation: OpenApiNode = {
  tags: ['Introspection'],
  summary: 'OpenAPI description (this document)',
  produces: ['application/openapi+json', 'application/json'],
  responses: { 200: { description: 'OK' } },
};
