/** POST, PUT, PATCH and DELETE of a relation. */
import { ApiError } from '../errors.ts';
import type { PlainResponse } from './plain-response.ts';
import { parseCsv, parseForm } from './parse/csv-and-form.ts';
import { findRelation } from './check/lookups.ts';
import { checkWrite } from './check/write.ts';
import { bindValues, type CompiledStatement } from './compile/sql-builder.ts';
import { compileWrite } from './compile/write.ts';
import { readIdempotencyKey, runIdempotent } from './idempotency.ts';
import type { Slot, SlotValue, WriteMethod } from './plan/query-types.ts';
import type { QueryTokens } from './parse/query-tokens.ts';
import { decodeBody, parseJsonBody, type JsonBody } from './parse/request-body.ts';
import type { AuthenticatedRequest, HandlerContext } from './handler-context.ts';
import { buildWriteResponse } from './build-response.ts';
import type { ResultRow } from './run-statement.ts';
import type { WritePlan } from './plan/write-plan.ts';

interface WriteEntry {
  readonly statement: CompiledStatement;
  readonly plan: WritePlan;
}

interface WriteParts {
  readonly method: WriteMethod;
  /** Slots behind those of the query. */
  readonly bodySlot: Slot;
  readonly maxAffected: Slot | null;
}

export async function handleWrite(
  tools: HandlerContext,
  asked: AuthenticatedRequest,
  method: WriteMethod,
): Promise<PlainResponse> {
  const { request } = asked;
  const { format, preferences } = request;
  const tokens = tools.tokens(request);
  if ((method === 'PATCH' || method === 'DELETE') && tokens.windows.has('')) throw limitedWrite(method);
  const body = await readBody(asked, tokens, tools.config.BODY_LIMIT);
  const values: SlotValue[] = [...tokens.values];
  const bodySlot = values.push(body?.text ?? null) - 1;
  const bounded = method === 'PATCH' || method === 'DELETE';
  const strict = preferences.handling === 'strict' && bounded;
  const maxAffected =
    strict && preferences.maxAffected !== null ? values.push(preferences.maxAffected) - 1 : null;
  const shape = [
    method,
    request.schema,
    asked.identity.role,
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
  const entry = await tools.plans.get<WriteEntry>(shape, () =>
    planWrite(tools, asked, tokens, body, { method, bodySlot, maxAffected }),
  );
  const statement = bindValues(entry.statement, values);
  const respond = (answer: ResultRow): PlainResponse => answerOf(tools, asked, entry.plan, answer);
  const key =
    method === 'POST' && tools.config.MIGRATE
      ? readIdempotencyKey(request, asked.identity, body?.text ?? '')
      : null;
  if (key && !format.explain && preferences.tx !== 'rollback') {
    return runIdempotent(tools.database, tools.scope(asked, false), key, statement, respond);
  }
  const answer = await tools.run(asked, false, statement);
  if (format.explain) return tools.explainAnswer(asked, answer);
  return respond(answer.rows[0] ?? []);
}

function answerOf(
  tools: HandlerContext,
  asked: AuthenticatedRequest,
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
  return buildWriteResponse(asked.request, plan, row, tools.headers(asked, resolution));
}

/** Since version 13 of the contract a write ignores them, and would change more rows than the client expects. */
function limitedWrite(method: 'PATCH' | 'DELETE'): ApiError {
  return new ApiError(400, 'PGRST114', `limit and offset are not allowed for ${method}`, {
    hint: 'Filter by the primary key of the rows. On an embed, limit and offset are allowed.',
  });
}

async function readBody(
  { request, readBody: read }: AuthenticatedRequest,
  tokens: QueryTokens,
  mostBytes: number,
): Promise<JsonBody | null> {
  if (request.method === 'DELETE') return null;
  const contentType = request.headers.get('content-type');
  const { type, text } = decodeBody(await read(), contentType, ['json', 'csv', 'form']);
  if (type === 'csv') return parseCsv(text, mostBytes);
  if (type === 'form') return parseForm(text);
  return parseJsonBody(text, tokens.columns !== null && request.method !== 'PUT');
}

async function planWrite(
  tools: HandlerContext,
  asked: AuthenticatedRequest,
  tokens: QueryTokens,
  body: JsonBody | null,
  { method, bodySlot, maxAffected }: WriteParts,
): Promise<WriteEntry> {
  const { format, name, preferences } = asked.request;
  const context = await tools.context(asked);
  const plan = checkWrite(context, {
    method,
    relation: findRelation(context, name),
    tokens,
    preferences,
    body,
    bodySlot,
    embedDepth: tools.config.EMBED_DEPTH,
  });
  const statement = compileWrite(plan, {
    maxRows: tools.config.MAX_ROWS,
    body: { shape: format.shape, stripNulls: format.stripNulls, asGeoJson: context.cache.asGeoJson },
    guards: {
      keyed: method === 'PUT',
      single: format.shape === 'object',
      maxAffected,
      unfiltered: tools.config.REQUIRE_FILTER ? wholeTable(plan) : null,
    },
  });
  return { plan, statement };
}

/** The verb of a write that names no rows. */
function wholeTable({ action, level }: WritePlan): 'UPDATE' | 'DELETE' | null {
  if (level.where.length > 0) return null;
  if (action.kind === 'delete') return 'DELETE';
  return action.kind === 'update' && action.payload.columns.length > 0 ? 'UPDATE' : null;
}
