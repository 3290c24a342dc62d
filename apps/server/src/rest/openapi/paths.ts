/** The operations of a description: what may be asked of a relation and of a function. */
import { parameterRef } from './parameters.ts';
import type { VisibleRelation, VisibleRoutine } from './visible-objects.ts';
import { argumentsSchema, queryArgument, schemaRef, valueSchema, type OpenApiNode } from './schemas.ts';
import type { Relation } from '../schema/relation.ts';
import { unnamedArgument, type Routine } from '../schema/routines.ts';

/** What the catalog knows of something, and what the caller sees of it. */
export interface DocumentedObject<Known, Seen> {
  readonly known: Known;
  readonly seen: Seen;
}
export type DocumentedRelation = DocumentedObject<Relation, VisibleRelation>;

/** Forms in which rows are answered. */
export const rowMediaTypes = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
];

/** The first line of a comment is its summary. */
export function splitComment(comment: string | null): { summary?: string; description?: string } {
  if (comment === null) return {};
  const end = comment.indexOf('\n');
  if (end < 0) return { summary: comment };
  const description = comment.slice(end).replace(/^\n+/, '');
  return { summary: comment.slice(0, end), ...(description === '' ? {} : { description }) };
}

export function relationPath({ known, seen }: DocumentedRelation): OpenApiNode {
  const { name } = known;
  const about = { tags: [name], ...splitComment(seen.comment) };
  const filters = seen.columns.map((column) => parameterRef(`rowFilter.${name}.${column.name}`));
  const body = parameterRef(`body.${name}`);
  const items = schemaRef('definitions', name);
  const page = ['select', 'order', 'offset', 'limit', 'preferCount'].map(parameterRef);
  const answers = (status: number, description: string): OpenApiNode => ({
    responses: { [status]: { description } },
  });
  return {
    get: seen.selects
      ? {
          ...about,
          parameters: [...filters, ...page],
          responses: {
            200: { description: 'OK', schema: { type: 'array', items } },
            206: { description: 'Partial Content' },
          },
        }
      : undefined,
    post:
      known.insertable && seen.inserts
        ? {
            ...about,
            parameters: [body, ...['select', 'columns', 'on_conflict', 'preferPost'].map(parameterRef)],
            ...answers(201, 'Created'),
          }
        : undefined,
    patch:
      known.updatable && seen.updates
        ? {
            ...about,
            parameters: [...filters, body, parameterRef('preferReturn')],
            ...answers(204, 'No Content'),
          }
        : undefined,
    delete:
      known.deletable && seen.deletes
        ? { ...about, parameters: [...filters, parameterRef('preferReturn')], ...answers(204, 'No Content') }
        : undefined,
  };
}

export function routinePath({ known, seen }: DocumentedObject<Routine, VisibleRoutine>): OpenApiNode {
  const about = {
    tags: [`(rpc) ${known.name}`],
    ...splitComment(seen.comment),
    produces: rowMediaTypes,
    responses: { 200: { description: 'OK' } },
  };
  const whole = unnamedArgument(known);
  const schema = whole === null ? argumentsSchema(known, seen) : valueSchema(whole);
  const body = { name: 'args', in: 'body', required: true, schema };
  const query = known.readOnly && whole === null;
  return {
    get: query ? { ...about, parameters: known.arguments.map(queryArgument) } : undefined,
    post: { ...about, parameters: [body, parameterRef('preferCount')] },
  };
}
