/** Second step of a write: target, columns, conflict target and representation. */
import { checkRead, rootRows } from './read.ts';
import {
  findColumn,
  findWritableColumn,
  permissionDeniedError,
  requireReadable,
  type CheckContext,
} from './lookups.ts';
import { checkPrimaryKeyFilter, checkPrimaryKeyPayload } from './primary-key-filter.ts';
import { parseNames, parseSelect } from '../parse/select.ts';
import type { SelectItem, Slot, WriteMethod } from '../plan/query-types.ts';
import type { Preferences } from '../parse/preferences.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import type { JsonBody } from '../parse/request-body.ts';
import { hasPrivilege } from '../schema/grants.ts';
import type { Relation } from '../schema/relation.ts';
import type { Conflict, Payload, WriteAction, WritePlan } from '../plan/write-plan.ts';

export interface WriteRequest {
  readonly method: WriteMethod;
  readonly relation: Relation;
  readonly tokens: QueryTokens;
  readonly preferences: Preferences;
  /** Null for DELETE. */
  readonly body: JsonBody | null;
  readonly bodySlot: Slot;
  readonly embedDepth: number;
}

/** @throws ApiError 400 for unknown names, and as `checkKey` for PUT */
export function checkWrite(context: CheckContext, request: WriteRequest): WritePlan {
  const { method, relation, tokens, preferences } = request;
  const represented = preferences.return === 'representation';
  const items: SelectItem[] = represented
    ? parseSelect(tokens.select ?? '', { depth: request.embedDepth })
    : [];
  // Without a representation nothing is embedded and nothing sorted; filters still choose the rows.
  const level = checkRead(context, rootRows(relation), items, represented ? tokens : rootOnly(tokens));
  if (method === 'PUT') checkPrimaryKeyFilter(relation, level, tokens);
  const located = method === 'POST' && preferences.return === 'headers-only';
  if (located) requireReadable(context, relation, relation.primaryKey);
  return {
    relation,
    action: actionOf(context, request),
    level,
    returning: represented ? 'rows' : located ? 'key' : 'nothing',
  };
}

function rootOnly(tokens: QueryTokens): QueryTokens {
  return { ...tokens, orders: new Map(), windows: new Map() };
}

function actionOf(context: CheckContext, request: WriteRequest): WriteAction {
  const { method, body } = request;
  if (method === 'DELETE' || body === null) return { kind: 'delete' };
  const payload = payloadOf(context, request, body);
  if (method === 'PATCH') return { kind: 'update', payload };
  const conflict = method === 'POST' ? conflictOf(context, request) : keyConflict(request.relation, payload);
  if (conflict?.action === 'merge') requireUpdatable(context, request.relation, payload);
  return { kind: 'insert', payload, conflict, keyed: method === 'PUT' };
}

function keyConflict({ primaryKey }: Relation, payload: Payload): Conflict {
  checkPrimaryKeyPayload(primaryKey, payload);
  return { target: primaryKey, action: 'merge' };
}

/** An upsert that merges sets every column of the body. */
function requireUpdatable({ role }: CheckContext, relation: Relation, { columns }: Payload): void {
  if (columns.every(({ grants }) => hasPrivilege(grants, role, 'update'))) return;
  throw permissionDeniedError(relation);
}

function payloadOf(
  context: CheckContext,
  { method, relation, tokens, preferences, bodySlot }: WriteRequest,
  body: JsonBody,
): Payload {
  // What a PUT leaves out is not chosen but kept, so its body alone decides.
  const chosen = method === 'PUT' ? null : tokens.columns;
  const privilege = method === 'PATCH' ? 'update' : 'insert';
  const names = chosen ? parseNames(chosen, 'columns parameter') : (body.keys ?? []);
  return {
    body: bodySlot,
    isArray: body.isArray,
    columns: [...new Set(names)].map((name) => findWritableColumn(context, relation, name, privilege)),
    missingDefault: preferences.missing === 'default' && chosen !== null,
  };
}

/** Null where the table has no key to conflict on: then the preference does not apply. */
function conflictOf(
  context: CheckContext,
  { relation, tokens, preferences }: Pick<WriteRequest, 'relation' | 'tokens' | 'preferences'>,
): Conflict | null {
  if (preferences.resolution === null) return null;
  const target = tokens.onConflict
    ? parseNames(tokens.onConflict, 'on_conflict parameter')
    : relation.primaryKey;
  if (target.length === 0) return null;
  // Postgres reads the columns of the key, and its error for an unknown one would name it.
  for (const name of target) findColumn(context, rootRows(relation), { name, path: [] });
  return { target, action: preferences.resolution === 'merge-duplicates' ? 'merge' : 'ignore' };
}
