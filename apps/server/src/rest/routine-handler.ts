/** `/rpc/{function}`: from the request's arguments to one statement and its answer. */
import { ApiError } from '../errors.ts';
import type { PlainResponse } from './plain-response.ts';
import {
  routineArguments,
  routineValues,
  maxAffectedSlot,
  readRoutineInput,
  type RoutineInput,
} from './routine-arguments.ts';
import { checkRoutineResult, resolveRoutine } from './check/resolve-routine.ts';
import type { CheckContext } from './check/lookups.ts';
import { compileCall } from './compile/call.ts';
import type { BodyShape } from './compile/response-row.ts';
import type { Guards } from './compile/guards.ts';
import { bindValues, type CompiledStatement } from './compile/sql-builder.ts';
import type { RestRequest } from './parse/rest-request.ts';
import type { ResponseFormat } from './parse/media-types.ts';
import type { Slot } from './plan/query-types.ts';
import type { QueryTokens } from './parse/query-tokens.ts';
import type { AuthenticatedRequest, HandlerContext } from './handler-context.ts';
import { contentLocation, buildReadResponse, type ReadRow } from './build-response.ts';
import type { Routine } from './schema/routines.ts';
import type { SchemaCache } from './schema/schema-cache.ts';

export async function handleRoutine(
  tools: HandlerContext,
  asked: AuthenticatedRequest,
): Promise<PlainResponse> {
  const { request } = asked;
  const { format, preferences } = request;
  const tokens = tools.tokens(request, request.method !== 'POST');
  const input = await readRoutineInput(request, tokens, asked.readBody);
  const strict = preferences.handling === 'strict' && preferences.maxAffected !== null;
  const shape = [
    'call',
    request.method,
    request.schema,
    asked.identity.role,
    request.name,
    format.shape,
    format.stripNulls,
    preferences.return,
    preferences.count !== null,
    strict,
    input.given.names,
    input.given.whole,
    tokens.shape,
  ];
  const plan = await tools.plans.get<CallPlan>(shape, async () =>
    planCall(await tools.context(asked), request, tokens, input, {
      maxRows: tools.config.MAX_ROWS,
      embedDepth: tools.config.EMBED_DEPTH,
      maxAffected: strict ? maxAffectedSlot(tokens, input) : null,
    }),
  );
  const values = routineValues(tokens, input, plan.routine, preferences.maxAffected);
  const readOnly = request.method !== 'POST' || plan.routine.readOnly;
  const limited = { ...asked, timeLimit: plan.routine.timeLimit };
  const answer = await tools.run(limited, readOnly, bindValues(plan.statement, values));
  if (format.explain) return tools.explainAnswer(asked, answer);
  const [page, total, body] = answer.rows[0] ?? [];
  const row = { page: Number(page), total: total ? Number(total) : null, body: body ?? '' };
  return callAnswer(tools, asked, plan, row, tokens);
}

function callAnswer(
  tools: HandlerContext,
  asked: AuthenticatedRequest,
  plan: CallPlan,
  row: ReadRow,
  tokens: QueryTokens,
): PlainResponse {
  const { request } = asked;
  const headers = tools.headers(asked);
  if (plan.routine.result === 'void') {
    return { status: 204, headers: { ...headers, 'Content-Range': '0-0/*' }, body: null };
  }
  const offset = plan.offset === null ? 0 : Number(tokens.values[plan.offset]);
  return buildReadResponse(request, row, offset, headers, contentLocation(request, tokens.sorted));
}

/** What is known of a call before its values. */
interface CallPlan {
  readonly routine: Routine;
  readonly statement: CompiledStatement;
  readonly offset: Slot | null;
}

interface CallOptions {
  readonly maxRows: number;
  readonly embedDepth: number;
  /** Slot of the most rows that may be returned. */
  readonly maxAffected: Slot | null;
}

/** @throws ApiError as `resolveRoutine` and for unknown names of the result */
function planCall(
  context: CheckContext,
  request: RestRequest,
  tokens: QueryTokens,
  input: RoutineInput,
  options: CallOptions,
): CallPlan {
  const { routine, wholeBody } = resolveRoutine(context, request.name, input.given);
  if (options.maxAffected !== null && !routine.returnsSet) {
    throw new ApiError(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    );
  }
  const level = checkRoutineResult(context, routine, tokens, options.embedDepth);
  // A read that fails its singular check changed nothing, so only calls that may write need the guard.
  const single = request.format.shape === 'object' && request.method === 'POST' && routine.returnsSet;
  const guards: Guards = { keyed: false, single, maxAffected: options.maxAffected, unfiltered: null };
  const statement = compileCall(routine, routineArguments(tokens, input, wholeBody), level, {
    maxRows: options.maxRows,
    total: request.preferences.count === null ? 'none' : 'all',
    body: bodyForm(request, routine, context.cache),
    guards,
  });
  return { routine, statement, offset: level.offset };
}

function bodyForm(
  { method, format, preferences }: RestRequest,
  routine: Routine,
  { asGeoJson }: SchemaCache,
): BodyShape {
  const { stripNulls } = format;
  const silent = method === 'HEAD' || (method === 'POST' && preferences.return === 'minimal');
  return {
    shape: bodyShape(format, routine, silent),
    stripNulls: stripNulls && routine.result === 'row',
    asGeoJson,
  };
}

function bodyShape({ shape }: ResponseFormat, routine: Routine, silent: boolean): BodyShape['shape'] {
  if (silent || routine.result === 'void') return 'none';
  if (shape === 'csv' || shape === 'geojson') return shape;
  const one = !routine.returnsSet || shape === 'object';
  if (routine.result === 'scalar') return one ? 'value' : 'values';
  return one ? 'object' : 'array';
}
