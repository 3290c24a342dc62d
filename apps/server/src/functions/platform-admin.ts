/** The guard of functions that only platform administrators may call. */
import { type Database, type Statement, type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../errors.ts';
import type { Principal } from '../principal.ts';

const readAllowed = sql`select private.is_platform_admin() as allowed`;

/** Checks the client's session and names the client to the audit triggers until the end of the transaction. */
const applyIdentity = (identity: Principal, requestId: string): Statement =>
  sql`select auth.require_live_session(${identity.sessionId}, ${identity.userId}, ${identity.aal}),
          set_config('request.jwt.claims', ${identity.claims}, true),
          set_config('request.id', ${requestId}, true)`;

const notAllowed = (): ApiError =>
  new ApiError(403, 'not_platform_admin', 'Only platform administrators may do this.');

/**
 * Rejects a request in one round trip before its body is read.
 * @throws ApiError 403; QueryError with a code of `sessionRefusals`
 */
export async function checkPlatformAdmin(
  database: Database,
  identity: Principal,
  requestId: string,
): Promise<void> {
  const [, answer] = await database.batch([applyIdentity(identity, requestId), readAllowed]);
  if (answer?.rows[0]?.[0] !== 't') throw notAllowed();
}

/**
 * Checks the same inside the action's own transaction. The role is read from the database, never from the token, so a
 * removed administrator is rejected immediately.
 * @throws ApiError 403; QueryError with a code of `sessionRefusals`
 */
export async function requirePlatformAdmin(
  tx: Transaction,
  identity: Principal,
  requestId: string,
): Promise<void> {
  await tx.query(applyIdentity(identity, requestId));
  const [row] = await tx.query<{ allowed: boolean }>(readAllowed);
  if (!row?.allowed) throw notAllowed();
}
