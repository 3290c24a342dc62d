/** GET and HEAD of a relation. */
import type { PlainResponse } from './plain-response.ts';
import { checkRead, rootRows } from './check/read.ts';
import { findRelation } from './check/lookups.ts';
import { compileEstimate, compileRead } from './compile/response-row.ts';
import { bindValues, type CompiledStatement } from './compile/sql-builder.ts';
import { parseSelect } from './parse/select.ts';
import type { DatabaseRole } from '../principal.ts';
import type { Slot } from './plan/query-types.ts';
import { listEmbeds, type ReadLevel } from './plan/read-plan.ts';
import type { Preferences } from './parse/preferences.ts';
import type { QueryTokens } from './parse/query-tokens.ts';
import type { AuthenticatedRequest, HandlerContext } from './handler-context.ts';
import { contentLocation, buildReadResponse } from './build-response.ts';

interface ReadEntry {
  readonly statement: CompiledStatement;
  /** The planner's estimate, where it was asked for and may be told. */
  readonly estimate: CompiledStatement | null;
  readonly offset: Slot | null;
}

export async function handleRead(tools: HandlerContext, asked: AuthenticatedRequest): Promise<PlainResponse> {
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
  const next = entry.estimate && !format.explain ? bindValues(entry.estimate, tokens.values) : undefined;
  const answer = await tools.run(asked, true, bindValues(entry.statement, tokens.values), next);
  if (format.explain) return tools.explainAnswer(asked, answer);
  const [page, counted, body] = answer.rows[0] ?? [];
  const exact = counted ? Number(counted) : null;
  return buildReadResponse(
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

async function planRead(
  tools: HandlerContext,
  asked: AuthenticatedRequest,
  tokens: QueryTokens,
): Promise<ReadEntry> {
  const { request } = asked;
  const context = await tools.context(asked);
  const relation = findRelation(context, request.name);
  const items = parseSelect(tokens.select ?? '', { depth: tools.config.EMBED_DEPTH });
  const level = checkRead(context, rootRows(relation), items, tokens);
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
function readsWhole(level: ReadLevel, role: DatabaseRole): boolean {
  if (role === 'service_role') return true;
  return (
    level.relation?.wholeFor.has(role) === true &&
    listEmbeds(level).every(
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
