/** Handles POST, PUT, PATCH and DELETE of a relation. */
import { RestError } from '../errors.ts';
import type { PlainResponse } from '../rest-types.ts';
import { parseCsv, parseForm } from '../parse/csv-and-form.ts';
import { findRelation } from '../check/lookups.ts';
import { checkWrite } from '../check/write.ts';
import { bindValues, type CompiledStatement } from '../compile/sql-builder.ts';
import { compileWrite } from '../compile/write.ts';
import { readIdempotencyKey, runIdempotent } from '../run/idempotency.ts';
import type { Slot, SlotValue, WriteMethod } from '../plan/query-types.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import { decodeBody, parseJsonBody, type JsonBody } from '../parse/request-body.ts';
import type { AuthenticatedRequest, HandlerContext } from './handler-context.ts';
import { buildWriteResponse } from '../response/build-response.ts';
import type { ResultRow } from '../run/run-statement.ts';
import type { WritePlan } from '../plan/write-plan.ts';

interface WriteEntry {
  readonly statement: CompiledStatement;
  readonly plan: WritePlan;
}

interface WriteSlots {
  readonly method: WriteMethod;
  /** Slot of the body text, behind the slots of the query. */
  readonly bodySlot: Slot;
  readonly maxAffected: Slot | null;
}

export async function handleWrite(
  context: HandlerContext,
  incoming: AuthenticatedRequest,
  method: WriteMethod,
): Promise<PlainResponse> {
  const { request } = incoming;
  const { format, preferences } = request;
  const tokens = context.tokens(request);
  if ((method === 'PATCH' || method === 'DELETE') && tokens.limitOffsets.has(''))
    throw limitNotAllowedError(method);
  const body = await readBody(incoming, tokens, context.settings.BODY_LIMIT);
  const values: SlotValue[] = [...tokens.values];
  const bodySlot = values.push(body?.text ?? null) - 1;
  const hasMaxAffected = method === 'PATCH' || method === 'DELETE';
  const strict = preferences.handling === 'strict' && hasMaxAffected;
  const maxAffected =
    strict && preferences.maxAffected !== null ? values.push(preferences.maxAffected) - 1 : null;
  const shape = [
    method,
    request.schema,
    incoming.principal.role,
    request.name,
    format.shape,
    format.stripNulls,
    preferences.return,
    preferences.resolution,
    preferences.missing,
    maxAffected,
    body?.isArray,
    body?.keys,
    tokens.shape,
  ];
  const entry = await context.plans.get<WriteEntry>(shape, () =>
    planWrite(context, incoming, tokens, body, { method, bodySlot, maxAffected }),
  );
  const statement = bindValues(entry.statement, values);
  const respond = (result: ResultRow): PlainResponse => writeResponse(context, incoming, entry.plan, result);
  const key =
    method === 'POST' && context.isManaged
      ? readIdempotencyKey(request, incoming.principal, body?.text ?? '')
      : null;
  if (key && !format.explain && preferences.tx !== 'rollback') {
    const run = context.statementRun(incoming, false, statement);
    return runIdempotent(run, key, respond);
  }
  const result = await context.run(incoming, false, statement);
  if (format.explain) return context.explainResponse(incoming, result);
  return respond(result.rows[0] ?? []);
}

function writeResponse(
  context: HandlerContext,
  incoming: AuthenticatedRequest,
  plan: WritePlan,
  [page, inserted, key, text]: ResultRow,
): PlainResponse {
  const row = {
    page: Number(page),
    inserted: inserted ? Number(inserted) : null,
    key: key ? (JSON.parse(key) as (string | null)[]) : null,
    body: text ?? '',
  };
  const resolution = plan.action.kind === 'insert' && plan.action.conflict !== null;
  return buildWriteResponse(incoming.request, plan, row, context.headers(incoming, resolution));
}

/**
 * Since PostgREST 13, writes ignore limit and offset. Rejecting them prevents changes to more rows than the client
 * expects.
 */
function limitNotAllowedError(method: 'PATCH' | 'DELETE'): RestError {
  return new RestError(400, 'PGRST114', `limit and offset are not allowed for ${method}`, {
    hint: 'Filter by the primary key of the rows. On an embed, limit and offset are allowed.',
  });
}

async function readBody(
  { request, readBody: read }: AuthenticatedRequest,
  tokens: QueryTokens,
  maxBytes: number,
): Promise<JsonBody | null> {
  if (request.method === 'DELETE') return null;
  const contentType = request.headers.get('content-type');
  const { type, text } = decodeBody(await read(), contentType, ['json', 'csv', 'form']);
  if (type === 'csv') return parseCsv(text, maxBytes);
  if (type === 'form') return parseForm(text);
  return parseJsonBody(text, tokens.columns !== null && request.method !== 'PUT');
}

async function planWrite(
  context: HandlerContext,
  incoming: AuthenticatedRequest,
  tokens: QueryTokens,
  body: JsonBody | null,
  { method, bodySlot, maxAffected }: WriteSlots,
): Promise<WriteEntry> {
  const { format, name, preferences } = incoming.request;
  const checkContext = await context.checkContext(incoming);
  const plan = checkWrite(checkContext, {
    method,
    relation: findRelation(checkContext, name),
    tokens,
    preferences,
    body,
    bodySlot,
    embedDepth: context.settings.EMBED_DEPTH,
  });
  const statement = compileWrite(plan, {
    maxRows: context.settings.MAX_ROWS,
    body: { shape: format.shape, stripNulls: format.stripNulls, asGeoJson: checkContext.cache.asGeoJson },
    guards: {
      keyed: method === 'PUT',
      single: format.shape === 'object',
      maxAffected,
      unfiltered: context.settings.REQUIRE_FILTER ? unfilteredVerb(plan) : null,
    },
  });
  return { plan, statement };
}

/** Returns the verb of a write without filters; null for other writes. */
function unfilteredVerb({ action, level }: WritePlan): 'UPDATE' | 'DELETE' | null {
  if (level.where.length > 0) return null;
  if (action.kind === 'delete') return 'DELETE';
  return action.kind === 'update' && action.payload.columns.length > 0 ? 'UPDATE' : null;
}
