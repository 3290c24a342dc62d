/** Checks the privileges of the role against the schema cache, before the query and the body are parsed. */
import { RestError } from '../errors.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import type { Method } from '../plan/query-types.ts';
import { hasPrivilege, needsElevation, type Privilege } from '../schema/grants.ts';
import { listExecutableRoutines, routineNotFoundError } from './resolve-routine.ts';
import { findRelation, permissionDeniedError, type CheckContext } from './lookups.ts';

const requiredPrivileges: Readonly<Record<Method, Privilege | null>> = {
  GET: 'select',
  HEAD: 'select',
  POST: 'insert',
  PUT: 'insert',
  PATCH: 'update',
  DELETE: 'delete',
  OPTIONS: null,
};

/**
 * Requires the privilege for the method on the relation or function.
 *
 * @throws RestError 403 42501 if the role lacks the privilege, or any privilege in the schema; 404 PGRST205, PGRST202 for a
 *   relation or function on which the role has no privilege
 */
export function requireRights(
  context: CheckContext,
  { name, call, method }: Pick<ParsedRequest, 'name' | 'call' | 'method'>,
): void {
  const { cache, schema, role } = context;
  if (name === '') return;
  if (!cache.mayUse(role, schema)) {
    throw new RestError(403, '42501', `permission denied for schema ${schema}`);
  }
  if (call) {
    if (listExecutableRoutines(context, name).length === 0)
      throw routineNotFoundError(context, name, null, []);
    return;
  }
  const relation = findRelation(context, name);
  const privilege = requiredPrivileges[method];
  if (privilege && !hasPrivilege(relation.grants, role, privilege)) throw permissionDeniedError(relation);
}

/**
 * Returns the error for a write with a body that only an elevated role of the database may do, or null. The caller
 * determines the role before it reads the body.
 */
export function findElevationError(
  context: CheckContext,
  { name, call, method }: Pick<ParsedRequest, 'name' | 'call' | 'method'>,
): RestError | null {
  if (call || name === '' || (method !== 'POST' && method !== 'PUT' && method !== 'PATCH')) return null;
  const relation = findRelation(context, name);
  const privilege = method === 'PATCH' ? 'update' : 'insert';
  return needsElevation(relation.grants, context.role, privilege) ? permissionDeniedError(relation) : null;
}
