/** GET and HEAD of a relation. */
import type { Answer } from './answer.ts';
import { checkRead, rowsOf } from './check/read.ts';
import { findRelation } from './check/names.ts';
import { compileEstimate, compileRead } from './compile/frame.ts';
import { fill, type Compiled } from './compile/text.ts';
import { parseSelect } from './parse/select.ts';
import type { DatabaseRole } from '../identity.ts';
import type { Slot } from './plan/plan.ts';
import { embedsOf, type Level } from './plan/read-plan.ts';
import type { Preferences } from './parse/preferences.ts';
import type { QueryTokens } from './parse/query-tokens.ts';
import type { Asked, RequestTools } from './request-tools.ts';
import { contentLocation, readAnswer } from './respond.ts';

interface ReadEntry {
  readonly statement: Compiled;
  /** The planner's estimate, where it was asked for and may be told. */
  readonly estimate: Compiled | null;
  readonly offset: Slot | null;
}

export async function handleRead(tools: RequestTools, asked: Asked): Promise<Answer> {
  const { request, identity } = asked;
  const tokens = tools.tokens(request);
  const { format, method, name, schema, preferences } = request;
  const { count } = preferences;
  const shape = [
    'read',
    schema,
    identity.role,
    name,
    method === 'HEAD',
    format.shape,
    format.stripNulls,
    count,
    tokens.shape,
  ];
  const entry = await tools.plans.get<ReadEntry>(shape, () => planRead(tools, asked, tokens));
  const next = entry.estimate && !format.explain ? fill(entry.estimate, tokens.values) : undefined;
  const answer = await tools.run(asked, true, fill(entry.statement, tokens.values), next);
  if (format.explain) return tools.explainAnswer(asked, answer);
  const [page, counted, body] = answer.rows[0] ?? [];
  const exact = counted ? Number(counted) : null;
  return readAnswer(
    request,
    {
      page: Number(page),
      total: next ? withEstimate(exact, answer.next[0]?.[0], tools.config.MAX_ROWS) : exact,
      body: body ?? '',
    },
    entry.offset === null ? 0 : Number(tokens.values[entry.offset]),
    tools.headers(asked),
    contentLocation(request, tokens.sorted),
  );
}

async function planRead(tools: RequestTools, asked: Asked, tokens: QueryTokens): Promise<ReadEntry> {
  const { request } = asked;
  const context = await tools.context(asked);
  const relation = findRelation(context, request.name);
  const items = parseSelect(tokens.select ?? '', { depth: tools.config.EMBED_DEPTH });
  const level = checkRead(context, rowsOf(relation), items, tokens);
  const shape = request.method === 'HEAD' ? 'none' : request.format.shape;
  const { count } = request.preferences;
  // An estimate shows the size of a whole table; a role that may not read all of it gets the exact
  // number of the rows that it may read.
  const counting = isEstimate(count) && !readsWhole(level, context.role) ? 'exact' : count;
  return {
    statement: compileRead(level, {
      maxRows: tools.config.MAX_ROWS,
      total: counting === null || counting === 'planned' ? 'none' : counting === 'exact' ? 'all' : 'bounded',
      body: { shape, stripNulls: request.format.stripNulls, asGeoJson: context.cache.asGeoJson },
    }),
    estimate: isEstimate(counting) ? compileEstimate(level) : null,
    offset: level.offset,
  };
}

function isEstimate(count: Preferences['count']): boolean {
  return count === 'planned' || count === 'estimated';
}

/** True where the role may read everything that an estimate counts. */
function readsWhole(level: Level, role: DatabaseRole): boolean {
  if (role === 'service_role') return true;
  return (
    level.relation?.wholeFor.has(role) === true &&
    embedsOf(level).every(
      ({ relationship: { routine, junction }, level: inner }) =>
        !routine && (junction?.relation.wholeFor.has(role) ?? true) && readsWhole(inner, role),
    )
  );
}

/** A count that stopped above the most rows is replaced by the planner's, if that is larger. */
function withEstimate(counted: number | null, plan: string | null | undefined, maxRows: number): number {
  if (counted !== null && counted <= maxRows) return counted;
  const parsed = JSON.parse(plan ?? '[]') as { Plan?: { 'Plan Rows'?: number } }[];
  return Math.max(counted ?? 0, parsed[0]?.Plan?.['Plan Rows'] ?? 0);
}
