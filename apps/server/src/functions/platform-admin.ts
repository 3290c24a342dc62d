/** Checks that the client is a platform administrator. */
import { type Database, type Statement, type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../errors.ts';
import type { Principal } from '../principal.ts';

const readAllowed = sql`select private.is_platform_admin() as allowed`;

/**
 * Checks the session and sets the claims and the request ID for the audit triggers, until the end of the transaction.
 */
const applyPrincipal = (principal: Principal, requestId: string): Statement =>
  sql`select auth.require_live_session(${principal.sessionId}, ${principal.userId}, ${principal.aal}),
          set_config('request.jwt.claims', ${principal.claims}, true),
          set_config('request.id', ${requestId}, true)`;

const notAllowed = (): ApiError =>
  new ApiError(403, 'not_platform_admin', 'This action requires a platform administrator.');

/**
 * Rejects a request in one round trip, before its body is read.
 *
 * @throws ApiError 403 not_platform_admin
 * @throws QueryError with a code that `sessionErrorCode` converts
 */
export async function checkPlatformAdmin(
  database: Database,
  principal: Principal,
  requestId: string,
): Promise<void> {
  const [, result] = await database.batch([applyPrincipal(principal, requestId), readAllowed]);
  if (result?.rows[0]?.[0] !== 't') throw notAllowed();
}

/**
 * Performs the same check in the transaction of the action. Reads the role from the database and not from the token, so
 * a removed administrator is rejected immediately.
 *
 * @throws ApiError 403 not_platform_admin
 * @throws QueryError with a code that `sessionErrorCode` converts
 */
export async function requirePlatformAdmin(
  tx: Transaction,
  principal: Principal,
  requestId: string,
): Promise<void> {
  await tx.query(applyPrincipal(principal, requestId));
  const [row] = await tx.query<{ allowed: boolean }>(readAllowed);
  if (!row?.allowed) throw notAllowed();
}
