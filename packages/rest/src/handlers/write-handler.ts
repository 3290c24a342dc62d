/** Handles POST, PUT, PATCH and DELETE of a relation. */
import { QueryError } from '@lanternrock/postgres/errors';
import { RestError } from '../errors.ts';
import type { PlainResponse } from '../rest-types.ts';
import { parseCsv, parseForm } from '../parse/csv-and-form.ts';
import { findRelation, type CheckContext } from '../check/lookups.ts';
import { checkWrite } from '../check/write.ts';
import { bindValues, type CompiledStatement } from '../compile/sql-builder.ts';
import { countUndoneRows } from '../compile/guards.ts';
import { compileWrite } from '../compile/write.ts';
import { readIdempotencyKey, runIdempotent, type IdempotencyStore } from '../run/idempotency.ts';
import type { Slot, SlotValue, WriteMethod } from '../plan/query-types.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import { decodeBody, parseJsonBody, type JsonBody } from '../parse/request-body.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import {
  buildBaseHeaders,
  buildWriteResponse,
  buildExplainResponse,
  type WriteRow,
} from '../response/build-response.ts';
import type { AuthenticatedRequest, ResultRow } from '../run/request-runner.ts';
import type { RestSettings } from '../settings.ts';
import type { HandlerContext } from './handler-context.ts';
import type { WritePlan } from '../plan/write-plan.ts';

interface WriteEntry {
  readonly statement: CompiledStatement;
  readonly plan: WritePlan;
}

/** Kind of a write, and what its plan depends on besides the query. */
interface WriteInput {
  readonly method: WriteMethod;
  readonly body: JsonBody | null;
  /** Slot of the body text, behind the slots of the query. */
  readonly bodySlot: Slot;
  readonly maxAffected: Slot | null;
}

export interface WriteContext extends HandlerContext {
  /** Null for a database without a store: the header `Idempotency-Key` has no effect. */
  readonly idempotencyStore: IdempotencyStore | null;
}

export async function handleWrite(
  { settings, plans, runner, writeLimit, idempotencyStore }: WriteContext,
  incoming: AuthenticatedRequest,
  method: WriteMethod,
): Promise<PlainResponse> {
  const { request } = incoming;
  const { format, preferences } = request;
  const tokens = plans.tokenize(request);
  if (
    (method === 'PATCH' || method === 'DELETE') &&
    tokens.limitOffsets.some(({ path }) => path.length === 0)
  )
    throw limitNotAllowedError(method);
  const body = await readBody(incoming, tokens, settings.BODY_LIMIT);
  const values: SlotValue[] = [...tokens.values];
  const bodySlot = values.push(body?.text ?? null) - 1;
  const hasMaxAffected = method === 'PATCH' || method === 'DELETE';
  const strict = preferences.handling === 'strict' && hasMaxAffected;
  const maxAffected =
    strict && preferences.maxAffected !== null ? values.push(preferences.maxAffected) - 1 : null;
  const shape = [
    method,
    preferences.return,
    preferences.resolution,
    preferences.missing,
    maxAffected,
    body?.isArray,
    body?.keys,
    tokens.shape,
  ];
  const { plan, statement } = await plans.getPlan<WriteEntry>(incoming, shape, (context) =>
    planWrite(context, request, tokens, settings, { method, body, bodySlot, maxAffected }),
  );
  const main = bindValues(statement, values);
  const respond = (row: ResultRow): PlainResponse => {
    const written = toWriteRow(row);
    writeLimit.countRows(incoming.principal.userId, written.writtenRows);
    const isUpsert = plan.action.kind === 'insert' && plan.action.conflict !== null;
    return buildWriteResponse(request, plan, written, buildBaseHeaders(request, settings, isUpsert));
  };
  const key =
    (method === 'POST' || method === 'PATCH') && idempotencyStore !== null
      ? readIdempotencyKey(request, incoming.principal, body?.text ?? '')
      : null;
  try {
    if (idempotencyStore && key && !format.explain && preferences.tx !== 'rollback') {
      const statements = { settings: runner.createSettingsStatement(incoming), main };
      return await runner.limitCalls(incoming, () =>
        runIdempotent(runner.database, idempotencyStore, key, statements, respond),
      );
    }
    const { rows } = await runner.run(incoming, main, { readOnly: false });
    return format.explain
      ? buildExplainResponse(request, rows, buildBaseHeaders(request, settings))
      : respond(rows[0] ?? []);
  } catch (error) {
    // Rows that an error has undone were written and locked, too.
    if (error instanceof QueryError) writeLimit.countRows(incoming.principal.userId, countUndoneRows(error));
    throw error;
  }
}

function toWriteRow([writtenRows, inserted, key, text]: ResultRow): WriteRow {
  return {
    writtenRows: Number(writtenRows),
    inserted: inserted ? Number(inserted) : null,
    key: key ? (JSON.parse(key) as (string | null)[]) : null,
    body: text ?? '',
  };
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
  if (type === 'form') return parseForm(text, maxBytes);
  return parseJsonBody(text, tokens.columns !== null && request.method !== 'PUT');
}

function planWrite(
  context: CheckContext,
  { format, name, preferences }: ParsedRequest,
  tokens: QueryTokens,
  settings: RestSettings,
  { method, body, bodySlot, maxAffected }: WriteInput,
): WriteEntry {
  const plan = checkWrite(context, {
    method,
    relation: findRelation(context, name),
    tokens,
    preferences,
    body,
    bodySlot,
    embedDepth: settings.EMBED_DEPTH,
  });
  const statement = compileWrite(plan, {
    maxRows: settings.MAX_ROWS,
    body: {
      shape: format.shape,
      stripNulls: format.stripNulls,
      asGeoJson: context.cache.asGeoJson,
      maxBytes: settings.RESPONSE_LIMIT,
    },
    guards: {
      keyed: method === 'PUT',
      single: format.shape === 'object',
      maxAffected,
      unfiltered: settings.REQUIRE_FILTER ? unfilteredVerb(plan) : null,
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
