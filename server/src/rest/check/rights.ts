/** Decides from the schema cache whether a role may do what a request asks, before its query and body are parsed. */
import { Refusal } from '../../errors.ts';
import type { DataRequest } from '../parse/data-request.ts';
import type { Method } from '../plan/plan.ts';
import { hasPrivilege, type Privilege } from '../schema/grants.ts';
import { executableRoutines, noRoutine } from './call.ts';
import { findRelation, permissionRefusal, type CheckContext } from './names.ts';

const needed: Readonly<Record<Method, Privilege | null>> = {
  GET: 'select',
  HEAD: 'select',
  POST: 'insert',
  PUT: 'insert',
  PATCH: 'update',
  DELETE: 'delete',
  OPTIONS: null,
};

/**
 * @throws Refusal 403 42501 without the privilege, and for every name when the role has none in the schema;
 *   404 PGRST205, PGRST202 for a relation or a function that the role may not use at all
 */
export function requireRights(
  context: CheckContext,
  { name, call, method }: Pick<DataRequest, 'name' | 'call' | 'method'>,
): void {
  const { cache, schema, role } = context;
  if (name === '') return;
  if (!cache.mayUse(role, schema)) {
    throw new Refusal(403, '42501', `permission denied for schema ${schema}`);
  }
  if (call) {
    if (executableRoutines(context, name).length === 0) throw noRoutine(context, name, null, []);
    return;
  }
  const relation = findRelation(context, name);
  const privilege = needed[method];
  if (privilege && !hasPrivilege(relation.grants, role, privilege)) throw permissionRefusal(relation);
}
