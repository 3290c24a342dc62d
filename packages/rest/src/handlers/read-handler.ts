/** Handles GET and HEAD of a relation. */
import type { PlainResponse } from '../rest-types.ts';
import { checkRead, rootRows } from '../check/read.ts';
import { findRelation } from '../check/lookups.ts';
import { compileEstimate, compileRead } from '../compile/response-row.ts';
import { bindValues, type CompiledStatement } from '../compile/sql-builder.ts';
import { parseSelect } from '../parse/select.ts';
import type { DatabaseRole } from '../rest-types.ts';
import type { Slot } from '../plan/query-types.ts';
import { listEmbeds, type ReadLevel } from '../plan/read-plan.ts';
import type { Preferences } from '../parse/preferences.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import type { AuthenticatedRequest, HandlerContext } from './handler-context.ts';
import { contentLocation, buildReadResponse } from '../response/build-response.ts';

interface ReadEntry {
  readonly statement: CompiledStatement;
  /** Statement for the planner's estimate; null if none is requested or allowed. */
  readonly estimate: CompiledStatement | null;
  readonly offset: Slot | null;
}

export async function handleRead(
  context: HandlerContext,
  incoming: AuthenticatedRequest,
): Promise<PlainResponse> {
  const { request, principal } = incoming;
  const tokens = context.tokens(request);
  const { format, method, name, schema, preferences } = request;
  const { count } = preferences;
  const shape = [
    'read',
    schema,
    principal.role,
    name,
    method === 'HEAD',
    format.shape,
    format.stripNulls,
    count,
    tokens.shape,
  ];
  const entry = await context.plans.get<ReadEntry>(shape, () => planRead(context, incoming, tokens));
  const estimate = entry.estimate && !format.explain ? bindValues(entry.estimate, tokens.values) : undefined;
  const result = await context.run(incoming, true, bindValues(entry.statement, tokens.values), estimate);
  if (format.explain) return context.explainResponse(incoming, result);
  const [page, counted, body] = result.rows[0] ?? [];
  const exact = counted ? Number(counted) : null;
  return buildReadResponse(
    request,
    {
      page: Number(page),
      total: estimate ? withEstimate(exact, result.next[0]?.[0], context.settings.MAX_ROWS) : exact,
      body: body ?? '',
    },
    entry.offset === null ? 0 : Number(tokens.values[entry.offset]),
    context.headers(incoming),
    contentLocation(request, tokens.sorted),
  );
}

async function planRead(
  context: HandlerContext,
  incoming: AuthenticatedRequest,
  tokens: QueryTokens,
): Promise<ReadEntry> {
  const { request } = incoming;
  const checkContext = await context.checkContext(incoming);
  const relation = findRelation(checkContext, request.name);
  const items = parseSelect(tokens.select ?? '', { depth: context.settings.EMBED_DEPTH });
  const level = checkRead(checkContext, rootRows(relation), items, tokens);
  const shape = request.method === 'HEAD' ? 'none' : request.format.shape;
  const { count } = request.preferences;
  // An estimate discloses the size of the whole table. Roles that cannot read all rows get an exact count of the
  // visible rows instead.
  const effectiveCount = isEstimate(count) && !canReadAll(level, checkContext.role) ? 'exact' : count;
  return {
    statement: compileRead(level, {
      maxRows: context.settings.MAX_ROWS,
      total:
        effectiveCount === null || effectiveCount === 'planned'
          ? 'none'
          : effectiveCount === 'exact'
            ? 'all'
            : 'bounded',
      body: { shape, stripNulls: request.format.stripNulls, asGeoJson: checkContext.cache.asGeoJson },
    }),
    estimate: isEstimate(effectiveCount) ? compileEstimate(level) : null,
    offset: level.offset,
  };
}

function isEstimate(count: Preferences['count']): boolean {
  return count === 'planned' || count === 'estimated';
}

/** Returns true if the role can read all rows that an estimate counts. */
function canReadAll(level: ReadLevel, role: DatabaseRole): boolean {
  if (role === 'service_role') return true;
  return (
    level.relation?.fullyReadableBy.has(role) === true &&
    listEmbeds(level).every(
      ({ relationship: { routine, junction }, level: inner }) =>
        !routine && (junction?.relation.fullyReadableBy.has(role) ?? true) && canReadAll(inner, role),
    )
  );
}

/** Returns the exact count up to `maxRows`; above, the larger of both counts. */
function withEstimate(exact: number | null, plan: string | null | undefined, maxRows: number): number {
  if (exact !== null && exact <= maxRows) return exact;
  const parsed = JSON.parse(plan ?? '[]') as { Plan?: { 'Plan Rows'?: number } }[];
  return Math.max(exact ?? 0, parsed[0]?.Plan?.['Plan Rows'] ?? 0);
}
