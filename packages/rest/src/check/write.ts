/** Checks a parsed write against the schema cache. */
import { checkRead } from './read.ts';
import {
  findColumn,
  findWritableColumn,
  permissionDeniedError,
  requireReadable,
  rootRows,
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

/**
 * Checks a write and returns its plan.
 *
 * @throws RestError 400 for unknown names; as `checkPrimaryKeyFilter` for PUT
 */
export function checkWrite(context: CheckContext, request: WriteRequest): WritePlan {
  const { method, relation, tokens, preferences } = request;
  const withRows = preferences.return === 'representation';
  const items: SelectItem[] = withRows ? parseSelect(tokens.select ?? '', { depth: request.embedDepth }) : [];
  // Without a representation only the filters apply; embeds and orders are ignored.
  const level = checkRead(
    context,
    rootRows(relation),
    items,
    withRows ? tokens : withoutOrderAndLimit(tokens),
    'exact',
  );
  if (method === 'PUT') checkPrimaryKeyFilter(relation, level, tokens);
  const withLocation = method === 'POST' && preferences.return === 'headers-only';
  if (withLocation) requireReadable(context, relation, relation.primaryKey);
  return {
    relation,
    action: planAction(context, request),
    level,
    returning: withRows ? 'rows' : withLocation ? 'key' : 'nothing',
  };
}

function withoutOrderAndLimit(tokens: QueryTokens): QueryTokens {
  return { ...tokens, orders: [], limitOffsets: [] };
}

function planAction(context: CheckContext, request: WriteRequest): WriteAction {
  const { method, body } = request;
  if (method === 'DELETE' || body === null) return { kind: 'delete' };
  const payload = planPayload(context, request, body);
  if (method === 'PATCH') return { kind: 'update', payload };
  const conflict =
    method === 'POST' ? planConflict(context, request) : primaryKeyConflict(request.relation, payload);
  if (conflict?.action === 'merge') requireUpdatable(context, request.relation, payload);
  return { kind: 'insert', payload, conflict, keyed: method === 'PUT' };
}

function primaryKeyConflict({ primaryKey }: Relation, payload: Payload): Conflict {
  checkPrimaryKeyPayload(primaryKey, payload);
  return { target: primaryKey, action: 'merge' };
}

/** Requires UPDATE on all columns of the body, because a merging upsert sets them. */
function requireUpdatable({ role }: CheckContext, relation: Relation, { columns }: Payload): void {
  if (columns.every(({ grants }) => hasPrivilege(grants, role, 'update'))) return;
  throw permissionDeniedError(relation);
}

function planPayload(
  context: CheckContext,
  { method, relation, tokens, preferences, bodySlot }: WriteRequest,
  body: JsonBody,
): Payload {
  // PUT ignores `columns`: the columns of the body are written.
  const columnsParameter = method === 'PUT' ? null : tokens.columns;
  const privilege = method === 'PATCH' ? 'update' : 'insert';
  const names = columnsParameter ? parseNames(columnsParameter, 'columns parameter') : (body.keys ?? []);
  return {
    body: bodySlot,
    isArray: body.isArray,
    columns: [...new Set(names)].map((name) => findWritableColumn(context, relation, name, privilege)),
    missingDefault: preferences.missing === 'default' && columnsParameter !== null,
  };
}

/** Returns the conflict target of an upsert; null without a key, because the preference then does not apply. */
function planConflict(
  context: CheckContext,
  { relation, tokens, preferences }: Pick<WriteRequest, 'relation' | 'tokens' | 'preferences'>,
): Conflict | null {
  if (preferences.resolution === null) return null;
  const target = tokens.onConflict
    ? parseNames(tokens.onConflict, 'on_conflict parameter')
    : relation.primaryKey;
  if (target.length === 0) return null;
  // Checked here, because the error of Postgres for an unknown column would disclose hidden columns.
  for (const name of target) findColumn(context, rootRows(relation), { name, path: [] });
  return { target, action: preferences.resolution === 'merge-duplicates' ? 'merge' : 'ignore' };
}
