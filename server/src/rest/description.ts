/** The OpenAPI 2.0 document of a schema, of the form that PostgREST gives it. */
import type { Visible, VisibleRelation, VisibleRoutine } from './description-query.ts';
import {
  argumentsSchema,
  queryArgument,
  relationSchema,
  valueSchema,
  type Part,
} from './description-schemas.ts';
import type { Relation } from './relation.ts';
import { unnamedArgument, type Routine } from './routines.ts';
import type { SchemaCache } from './schema-cache.ts';

export interface DescribedService {
  readonly name: string;
  /** Where the interface is mounted. */
  readonly url: URL;
}

interface Described<Known, Seen> {
  readonly known: Known;
  readonly seen: Seen;
}
type DescribedRelation = Described<Relation, VisibleRelation>;

const rows = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
];

/** @param visible what the caller may know; whatever is not in it does not appear, not even as a key's target */
export function describe(
  cache: SchemaCache,
  schema: string,
  visible: Visible,
  { name, url }: DescribedService,
): Part {
  const relations = pairUp([...cache.relationsOf(schema)], visible.relations);
  const routines = pairUp([...cache.routinesOf(schema)], visible.routines).filter(({ known }) =>
    isCallable(known),
  );
  const shown = new Set(relations.map(({ known }) => known));
  const { summary, description } = splitComment(visible.comment);
  const types = [...rows, 'text/csv'];
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
    consumes: types,
    produces: types,
    paths: Object.fromEntries([
      ['/', { get: rootOperation }],
      ...relations.map((relation) => [`/${relation.known.name}`, relationPath(relation)]),
      ...routines.map((routine) => [`/rpc/${routine.known.name}`, routinePath(routine)]),
    ]),
    definitions: Object.fromEntries(
      relations.map(({ known, seen }) => {
        const keys = cache
          .relationshipsOf(known)
          .filter(({ ownsKey, pairs, target }) => ownsKey && pairs.length === 1 && shown.has(target))
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

const bodyTypes = new Set(['json', 'jsonb', 'text', 'xml', 'bytea']);

/** Arguments are passed by name; one without a name is the body. */
function isCallable(routine: Routine): boolean {
  const whole = unnamedArgument(routine);
  return whole === null ? routine.arguments.every(({ name }) => name !== '') : bodyTypes.has(whole);
}

function pairUp<Known extends { readonly oid: string }, Seen extends { readonly oid: string }>(
  all: readonly Known[],
  visible: readonly Seen[],
): Described<Known, Seen>[] {
  const byOid = new Map(all.map((known) => [known.oid, known]));
  return visible.flatMap((seen) => {
    const known = byOid.get(seen.oid);
    return known ? [{ known, seen }] : [];
  });
}

/** The first line of a comment is its summary. */
function splitComment(comment: string | null): { summary?: string; description?: string } {
  if (comment === null) return {};
  const end = comment.indexOf('\n');
  if (end < 0) return { summary: comment };
  const description = comment.slice(end).replace(/^\n+/, '');
  return { summary: comment.slice(0, end), ...(description === '' ? {} : { description }) };
}

const rootOperation: Part = {
  tags: ['Introspection'],
  summary: 'OpenAPI description (this document)',
  produces: ['application/openapi+json', 'application/json'],
  responses: { 200: { description: 'OK' } },
};

const shared = (name: string): Part => ({ $ref: `#/parameters/${name}` });

function relationPath({ known, seen }: DescribedRelation): Part {
  const { name } = known;
  const about = { tags: [name], ...splitComment(seen.comment) };
  const filters = seen.columns.map((column) => shared(`rowFilter.${name}.${column.name}`));
  const body = shared(`body.${name}`);
  const items = { $ref: `#/definitions/${name}` };
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

function routinePath({ known, seen }: Described<Routine, VisibleRoutine>): Part {
  const about = {
    tags: [`(rpc) ${known.name}`],
    ...splitComment(seen.comment),
    produces: rows,
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

function relationParameters({ known, seen }: DescribedRelation): [string, Part][] {
  const { name } = known;
  return [
    [
      `body.${name}`,
      { name, in: 'body', description: name, required: false, schema: { $ref: `#/definitions/${name}` } },
    ],
    ...seen.columns.map((column): [string, Part] => [
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
): Part {
  return { name, in: place, description, required: false, type: 'string', enum: values };
}

const counts = ['count=exact', 'count=planned', 'count=estimated'];
const returns = ['return=minimal', 'return=headers-only', 'return=representation'];
const resolutions = ['resolution=ignore-duplicates', 'resolution=merge-duplicates'];

const sharedParameters: [string, Part][] = [
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
