/** OpenAPI operations of relations and functions. */
import { toParameterRef } from './parameters.ts';
import type { DocumentedObject, DocumentedRelation, VisibleRoutine } from './visible-objects.ts';
import {
  buildArgumentsSchema,
  queryArgument,
  toSchemaRef,
  buildValueSchema,
  type OpenApiNode,
} from './schemas.ts';
import { unnamedArgument, type Routine } from '../schema/routines.ts';

/** Media types of responses with rows. */
export const rowMediaTypes = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
];

/** Splits a comment into its first line, the summary, and the rest. */
export function splitComment(comment: string | null): { summary?: string; description?: string } {
  if (comment === null) return {};
  const end = comment.indexOf('\n');
  if (end < 0) return { summary: comment };
  const description = comment.slice(end).replace(/^\n+/, '');
  return { summary: comment.slice(0, end), ...(description === '' ? {} : { description }) };
}

/** Returns the operations of a relation that the client can use. */
export function buildRelationPath({ cached, visible }: DocumentedRelation): OpenApiNode {
  const { name } = cached;
  const common = { tags: [name], ...splitComment(visible.comment) };
  const filters = visible.columns.map((column) => toParameterRef(`rowFilter.${name}.${column.name}`));
  const body = toParameterRef(`body.${name}`);
  const items = toSchemaRef('definitions', name);
  const page = ['select', 'order', 'offset', 'limit', 'preferCount'].map(toParameterRef);
  const response = (status: number, description: string): OpenApiNode => ({
    responses: { [status]: { description } },
  });
  return {
    get: visible.selects
      ? {
          ...common,
          parameters: [...filters, ...page],
          responses: {
            200: { description: 'OK', schema: { type: 'array', items } },
            206: { description: 'Partial Content' },
          },
        }
      : undefined,
    post:
      cached.insertable && visible.inserts
        ? {
            ...common,
            parameters: [body, ...['select', 'columns', 'on_conflict', 'preferPost'].map(toParameterRef)],
            ...response(201, 'Created'),
          }
        : undefined,
    patch:
      cached.updatable && visible.updates
        ? {
            ...common,
            parameters: [...filters, body, toParameterRef('preferReturn')],
            ...response(204, 'No Content'),
          }
        : undefined,
    delete:
      cached.deletable && visible.deletes
        ? {
            ...common,
            parameters: [...filters, toParameterRef('preferReturn')],
            ...response(204, 'No Content'),
          }
        : undefined,
  };
}

/** Returns the operations of a function. */
export function buildRoutinePath({
  cached,
  visible,
}: DocumentedObject<Routine, VisibleRoutine>): OpenApiNode {
  const common = {
    tags: [`(rpc) ${cached.name}`],
    ...splitComment(visible.comment),
    produces: rowMediaTypes,
    responses: { 200: { description: 'OK' } },
  };
  const unnamedType = unnamedArgument(cached);
  const schema = unnamedType === null ? buildArgumentsSchema(cached, visible) : buildValueSchema(unnamedType);
  const body = { name: 'args', in: 'body', required: true, schema };
  const callableByGet = cached.readOnly && unnamedType === null;
  return {
    get: callableByGet ? { ...common, parameters: cached.arguments.map(queryArgument) } : undefined,
    post: { ...common, parameters: [body, toParameterRef('preferCount')] },
  };
}
