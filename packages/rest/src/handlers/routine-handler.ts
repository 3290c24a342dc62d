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
import { checkRoutineResult, resolveRoutine } from '../check/resolve-routine.ts';
import type { CheckContext } from '../check/lookups.ts';
import { compileCall } from '../compile/call.ts';
import type { BodyShape } from '../compile/response-row.ts';
import type { Guards } from '../compile/guards.ts';
import { bindValues, type CompiledStatement } from '../compile/sql-builder.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import type { ResponseFormat } from '../parse/media-types.ts';
import type { Slot } from '../plan/query-types.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import type { AuthenticatedRequest, HandlerContext } from './handler-context.ts';
import { contentLocation, buildReadResponse, type ReadRow } from '../response/build-response.ts';
import type { Routine } from '../schema/routines.ts';
import type { SchemaCache } from '../schema/schema-cache.ts';

export async function handleRoutine(
  context: HandlerContext,
  incoming: AuthenticatedRequest,
): Promise<PlainResponse> {
  const { request } = incoming;
  const { format, preferences } = request;
  const tokens = context.tokens(request, request.method !== 'POST');
  const input = await readRoutineInput(request, tokens, incoming.readBody);
  const strict = preferences.handling === 'strict' && preferences.maxAffected !== null;
  const shape = [
    'call',
    request.method,
    request.schema,
    incoming.principal.role,
    request.name,
    format.shape,
    format.stripNulls,
    preferences.return,
    preferences.count !== null,
    strict,
    input.given.names,
    input.given.bodyType,
    tokens.shape,
  ];
  const plan = await context.plans.get<CallPlan>(shape, async () =>
    planCall(await context.checkContext(incoming), request, tokens, input, {
      maxRows: context.settings.MAX_ROWS,
      embedDepth: context.settings.EMBED_DEPTH,
      maxAffected: strict ? maxAffectedSlot(tokens, input) : null,
    }),
  );
  const values = routineValues(tokens, input, plan.routine, preferences.maxAffected);
  const readOnly = request.method !== 'POST' || plan.routine.readOnly;
  const withTimeout: AuthenticatedRequest = { ...incoming, timeoutMs: plan.routine.timeoutMs };
  const result = await context.run(withTimeout, readOnly, bindValues(plan.statement, values));
  if (format.explain) return context.explainResponse(incoming, result);
  const [page, total, body] = result.rows[0] ?? [];
  const row = { page: Number(page), total: total ? Number(total) : null, body: body ?? '' };
  return routineResponse(context, incoming, plan, row, tokens);
}

function routineResponse(
  context: HandlerContext,
  incoming: AuthenticatedRequest,
  plan: CallPlan,
  row: ReadRow,
  tokens: QueryTokens,
): PlainResponse {
  const { request } = incoming;
  const headers = context.headers(incoming);
  if (plan.routine.result === 'void') {
    return { status: 204, headers: { ...headers, 'Content-Range': '0-0/*' }, body: null };
  }
  const offset = plan.offset === null ? 0 : Number(tokens.values[plan.offset]);
  return buildReadResponse(request, row, offset, headers, contentLocation(request, tokens.sorted));
}

/** The cached part of a function call, which does not depend on values. */
interface CallPlan {
  readonly routine: Routine;
  readonly statement: CompiledStatement;
  readonly offset: Slot | null;
}

interface CallOptions {
  readonly maxRows: number;
  readonly embedDepth: number;
  /** Slot of `max-affected`; null unless handling is strict. */
  readonly maxAffected: Slot | null;
}

/**
 * Resolves the function and compiles the call.
 *
 * @throws RestError as `resolveRoutine`; 400 for unknown columns of the result
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
  const level = checkRoutineResult(context, routine, tokens, options.embedDepth);
  // Only calls that can write need the guard; for reads, the check of the response is sufficient.
  const single = request.format.shape === 'object' && request.method === 'POST' && routine.returnsSet;
  const guards: Guards = { keyed: false, single, maxAffected: options.maxAffected, unfiltered: null };
  const statement = compileCall(routine, routineArguments(tokens, input, wholeBody), level, {
    maxRows: options.maxRows,
    total: request.preferences.count === null ? 'none' : 'all',
    body: toBodyShape(request, routine, context.cache),
    guards,
  });
  return { routine, statement, offset: level.offset };
}

function toBodyShape(
  { method, format, preferences }: ParsedRequest,
  routine: Routine,
  { asGeoJson }: SchemaCache,
): BodyShape {
  const { stripNulls } = format;
  const withoutBody = method === 'HEAD' || (method === 'POST' && preferences.return === 'minimal');
  return {
    shape: selectShape(format, routine, withoutBody),
    stripNulls: stripNulls && routine.result === 'row',
    asGeoJson,
  };
}

function selectShape({ shape }: ResponseFormat, routine: Routine, withoutBody: boolean): BodyShape['shape'] {
  if (withoutBody || routine.result === 'void') return 'none';
  if (shape === 'csv' || shape === 'geojson') return shape;
  const singular = !routine.returnsSet || shape === 'object';
  if (routine.result === 'scalar') return singular ? 'value' : 'values';
  return singular ? 'object' : 'array';
}
