/** Handles GET and HEAD of a relation. */
import type { PlainResponse } from '../rest-types.ts';
import { checkRead } from '../check/read.ts';
import { findRelation, rootRows, type CheckContext } from '../check/lookups.ts';
import { compileEstimate, compileRead } from '../compile/response-row.ts';
import { bindValues, type CompiledStatement } from '../compile/sql-builder.ts';
import { parseSelect } from '../parse/select.ts';
import type { DatabaseRole } from '../rest-types.ts';
import type { Slot } from '../plan/query-types.ts';
import { listEmbeds, type ReadLevel } from '../plan/read-plan.ts';
import type { Preferences } from '../parse/preferences.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import { buildBaseHeaders, buildReadResponse, buildExplainResponse } from '../response/build-response.ts';
import { formatContentLocation } from '../response/location-headers.ts';
import type { AuthenticatedRequest } from '../run/request-runner.ts';
import type { RestSettings } from '../settings.ts';
import type { HandlerContext } from './handler-context.ts';

interface ReadEntry {
  readonly statement: CompiledStatement;
  /** Statement for the planner's estimate; null if none is requested or allowed. */
  readonly estimate: CompiledStatement | null;
  readonly offset: Slot | null;
}

/** Rows that the statement counts for each preference. The planner estimates the others. */
const totals = { exact: 'all', estimated: 'bounded', planned: 'none' } as const;

export async function handleRead(
  { settings, plans, runner }: HandlerContext,
  incoming: AuthenticatedRequest,
): Promise<PlainResponse> {
  const { request } = incoming;
  const { format, method, preferences } = request;
  const tokens = plans.tokenize(request);
  const shape = ['read', method === 'HEAD', preferences.count, tokens.shape];
  const entry = await plans.getPlan<ReadEntry>(incoming, shape, (context) =>
    planRead(context, request, tokens, settings),
  );
  const estimate = entry.estimate && !format.explain ? bindValues(entry.estimate, tokens.values) : undefined;
  const statement = bindValues(entry.statement, tokens.values);
  const { rows, next } = await runner.run(incoming, statement, { readOnly: true, next: estimate });
  const headers = buildBaseHeaders(request, settings);
  if (format.explain) return buildExplainResponse(request, rows, headers);
  const [pageRows, counted, body] = rows[0] ?? [];
  const exact = counted ? Number(counted) : null;
  return buildReadResponse(
    request,
    {
      pageRows: Number(pageRows),
      offset: entry.offset === null ? 0 : Number(tokens.values[entry.offset]),
      total: estimate ? withEstimate(exact, next[0]?.[0], settings.MAX_ROWS) : exact,
      body: body ?? '',
    },
    headers,
    formatContentLocation(request, tokens.sorted),
  );
}

function planRead(
  context: CheckContext,
  request: ParsedRequest,
  tokens: QueryTokens,
  settings: RestSettings,
): ReadEntry {
  const relation = findRelation(context, request.name);
  const items = parseSelect(tokens.select ?? '', { depth: settings.EMBED_DEPTH });
  const level = checkRead(context, rootRows(relation), items, tokens, request.preferences.count);
  const shape = request.method === 'HEAD' ? 'none' : request.format.shape;
  const { count } = request.preferences;
  // An estimate discloses the size of the whole table. Roles that cannot read all rows get an exact count of the
  // visible rows instead.
  const effectiveCount = isEstimate(count) && !canReadAll(level, context.role) ? 'exact' : count;
  return {
    statement: compileRead(level, {
      maxRows: settings.MAX_ROWS,
      total: effectiveCount === null ? 'none' : totals[effectiveCount],
      body: {
        shape,
        stripNulls: request.format.stripNulls,
        asGeoJson: context.cache.asGeoJson,
        maxBytes: settings.RESPONSE_LIMIT,
      },
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
    level.relation?.fullyReadableBy.includes(role) === true &&
    listEmbeds(level).every(
      ({ relationship: { routine, junction }, level: inner }) =>
        !routine && (junction?.relation.fullyReadableBy.includes(role) ?? true) && canReadAll(inner, role),
    )
  );
}

/** Returns the exact count up to `maxRows`; above, the larger of both counts. */
function withEstimate(exact: number | null, plan: string | null | undefined, maxRows: number): number {
  if (exact !== null && exact <= maxRows) return exact;
  const parsed = JSON.parse(plan ?? '[]') as { Plan?: { 'Plan Rows'?: number } }[];
  return Math.max(exact ?? 0, parsed[0]?.Plan?.['Plan Rows'] ?? 0);
}
