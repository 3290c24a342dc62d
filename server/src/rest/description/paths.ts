/** The operations of a description: what may be asked of a relation and of a function. */
import { shared } from './parameters.ts';
import type { VisibleRelation, VisibleRoutine } from './query.ts';
import { argumentsSchema, queryArgument, reference, valueSchema, type Part } from './schemas.ts';
import type { Relation } from '../schema/relation.ts';
import { unnamedArgument, type Routine } from '../schema/routines.ts';

/** What the catalog knows of something, and what the caller sees of it. */
export interface Described<Known, Seen> {
  readonly known: Known;
  readonly seen: Seen;
}
export type DescribedRelation = Described<Relation, VisibleRelation>;

/** Forms in which rows are answered. */
export const rowTypes = [
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

export function relationPath({ known, seen }: DescribedRelation): Part {
  const { name } = known;
  const about = { tags: [name], ...splitComment(seen.comment) };
  const filters = seen.columns.map((column) => shared(`rowFilter.${name}.${column.name}`));
  const body = shared(`body.${name}`);
  const items = reference('definitions', name);
  const page = ['select', 'order', 'offset', 'limit', 'preferCount'].map(shared);
  const answers = (status: number, description: string): Part => ({
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
            parameters: [body, ...['select', 'columns', 'on_conflict', 'preferPost'].map(shared)],
            ...answers(201, 'Created'),
          }
        : undefined,
    patch:
      known.updatable && seen.updates
        ? { ...about, parameters: [...filters, body, shared('preferReturn')], ...answers(204, 'No Content') }
        : undefined,
    delete:
      known.deletable && seen.deletes
        ? { ...about, parameters: [...filters, shared('preferReturn')], ...answers(204, 'No Content') }
        : undefined,
  };
}

export function routinePath({ known, seen }: Described<Routine, VisibleRoutine>): Part {
  const about = {
    tags: [`(rpc) ${known.name}`],
    ...splitComment(seen.comment),
    produces: rowTypes,
    responses: { 200: { description: 'OK' } },
  };
  const whole = unnamedArgument(known);
  const schema = whole === null ? argumentsSchema(known, seen) : valueSchema(whole);
  const body = { name: 'args', in: 'body', required: true, schema };
  const query = known.readOnly && whole === null;
  return {
    get: query ? { ...about, parameters: known.arguments.map(queryArgument) } : undefined,
    post: { ...about, parameters: [body, shared('preferCount')] },
  };
}
