/** The guard of functions that only platform administrators may call, inside the act's own transaction. */
import type { Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { Refusal } from '../errors.ts';
import type { Identity } from '../identity.ts';

/**
 * Checks the caller's session and role and names the caller to the audit triggers until the end of the
 * transaction. The role is read from the database, never from the token: a removed one is gone at once.
 * @throws Refusal 403; DatabaseFailure with a code of `sessionRefusals`
 */
export async function requirePlatformAdmin(
  tx: Transaction,
  identity: Identity,
  requestId: string,
): Promise<void> {
  await tx.query(
    sql`select auth.require_live_session(${identity.sessionId}, ${identity.userId}, ${identity.assurance}),
          set_config('request.jwt.claims', ${identity.claims}, true),
          set_config('request.id', ${requestId}, true)`,
  );
  const [row] = await tx.query<{ allowed: boolean }>(sql`select private.is_platform_admin() as allowed`);
  if (row?.allowed) return;
  throw new Refusal(403, 'not_platform_admin', 'Only platform administrators may do this.');
}
