/** Handles `/rpc/{function}`. */
import { RestError } from '../errors.ts';
import type { PlainResponse } from '../rest-types.ts';
import {
  routineArguments,
  routineValues,
  maxAffectedSlot,
  readRoutineInput,
  type RoutineInput,
} from './routine-arguments.ts';
import { resolveRoutine } from '../check/resolve-routine.ts';
import { checkRoutineResult } from '../check/routine-result.ts';
import type { CheckContext } from '../check/lookups.ts';
import { compileCall } from '../compile/call.ts';
import type { BodyShape } from '../compile/response-row.ts';
import type { Guards } from '../compile/guards.ts';
import { bindValues, type CompiledStatement } from '../compile/sql-builder.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import type { ResponseFormat } from '../parse/media-types.ts';
import type { Slot } from '../plan/query-types.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import { buildBaseHeaders, buildReadResponse, buildExplainResponse } from '../response/build-response.ts';
import { formatContentLocation } from '../response/location-headers.ts';
import type { AuthenticatedRequest } from '../run/request-runner.ts';
import type { HandlerContext } from './handler-context.ts';
import type { Routine } from '../schema/routines.ts';
import type { SchemaCache } from '../schema/schema-cache.ts';

export async function handleRoutine(
  { settings, plans, runner, writeLimit }: HandlerContext,
  incoming: AuthenticatedRequest,
): Promise<PlainResponse> {
  const { request } = incoming;
  const { format, preferences } = request;
  const tokens = plans.tokenize(request, request.method !== 'POST');
  const input = await readRoutineInput(request, tokens, incoming.readBody);
  const strict = preferences.handling === 'strict' && preferences.maxAffected !== null;
  const shape = [
    'call',
    request.method,
    preferences.return,
    preferences.count !== null,
    strict,
    input.given.names,
    input.given.bodyType,
    tokens.shape,
  ];
  const plan = await plans.getPlan<CallPlan>(incoming, shape, (context) =>
    planCall(context, request, tokens, input, {
      maxRows: settings.MAX_ROWS,
      maxBytes: settings.RESPONSE_LIMIT,
      embedDepth: settings.EMBED_DEPTH,
      maxAffected: strict ? maxAffectedSlot(tokens, input) : null,
    }),
  );
  const { routine, statement } = plan;
  const values = routineValues(tokens, input, routine, preferences.maxAffected);
  const readOnly = request.method !== 'POST' || routine.readOnly;
  if (!readOnly) await writeLimit.require(incoming.principal.userId);
  const { rows } = await runner.run(incoming, bindValues(statement, values), {
    readOnly,
    timeoutMs: routine.timeoutMs,
  });
  const headers = buildBaseHeaders(request, settings);
  if (format.explain) return buildExplainResponse(request, rows, headers);
  if (routine.result === 'void')
    return { status: 204, headers: { ...headers, 'Content-Range': '0-0/*' }, body: null };
  const [pageRows, total, body] = rows[0] ?? [];
  const row = {
    pageRows: Number(pageRows),
    offset: plan.offset === null ? 0 : Number(tokens.values[plan.offset]),
    total: total ? Number(total) : null,
    body: body ?? '',
  };
  return buildReadResponse(request, row, headers, formatContentLocation(request, tokens.sorted));
}

/** The cached part of a function call, which does not depend on values. */
interface CallPlan {
  readonly routine: Routine;
  readonly statement: CompiledStatement;
  readonly offset: Slot | null;
}

interface CallOptions {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly embedDepth: number;
  /** Slot of `max-affected`; null unless handling is strict. */
  readonly maxAffected: Slot | null;
}

/**
 * Resolves the function and compiles the call.
 *
 * @throws RestError as `resolveRoutine` and `checkRoutineResult`; 400 PGRST128 for `max-affected` of a function that
 *   returns no set
 */
function planCall(
  context: CheckContext,
  request: ParsedRequest,
  tokens: QueryTokens,
  input: RoutineInput,
  options: CallOptions,
): CallPlan {
  const { routine, wholeBody } = resolveRoutine(context, request.name, input.given);
  if (options.maxAffected !== null && !routine.returnsSet) {
    throw new RestError(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    );
  }
  const level = checkRoutineResult(context, routine, {
    tokens,
    embedDepth: options.embedDepth,
    // A call counts exactly for every kind of count, and the stored plan does not depend on the kind.
    count: request.preferences.count === null ? null : 'exact',
  });
  // Only calls that can write need the guard; for reads, the check of the response is sufficient.
  const single = request.format.shape === 'object' && request.method === 'POST' && routine.returnsSet;
  const guards: Guards = { keyed: false, single, maxAffected: options.maxAffected, unfiltered: null };
  const statement = compileCall(routine, routineArguments(tokens, input, wholeBody), level, {
    maxRows: options.maxRows,
    total: request.preferences.count === null ? 'none' : 'all',
    body: toBodyShape(request, routine, context.cache, options.maxBytes),
    guards,
  });
  return { routine, statement, offset: level.offset };
}

function toBodyShape(
  { method, format, preferences }: ParsedRequest,
  routine: Routine,
  { asGeoJson }: SchemaCache,
  maxBytes: number,
): BodyShape {
  const { stripNulls } = format;
  const withoutBody = method === 'HEAD' || (method === 'POST' && preferences.return === 'minimal');
  return {
    shape: selectShape(format, routine, withoutBody),
    stripNulls: stripNulls && routine.result === 'row',
    asGeoJson,
    maxBytes,
  };
}

function selectShape({ shape }: ResponseFormat, routine: Routine, withoutBody: boolean): BodyShape['shape'] {
  if (withoutBody || routine.result === 'void') return 'none';
  if (shape === 'csv' || shape === 'geojson') return shape;
  const singular = !routine.returnsSet || shape === 'object';
  if (routine.result === 'scalar') return singular ? 'value' : 'values';
  return singular ? 'object' : 'array';
}
