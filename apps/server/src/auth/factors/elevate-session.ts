/** Elevates a session after a second factor was verified. */
import { type Transaction, sql } from '@lanternrock/postgres';
import type { AuthContext } from '../auth-context.ts';
import {
  recordAuthMethod,
  loadSession,
  type AuthenticationMethod,
  type ActiveSession,
  type SessionRecord,
} from '../sessions/sessions.ts';

/**
 * Elevates the session to AAL2, makes it fresh and replaces its refresh token. An older refresh token counts as
 * stolen from now on. Revokes every other AAL1 session of the user.
 */
export async function elevateSession(
  tx: Transaction,
  context: AuthContext,
  session: SessionRecord,
  method: AuthenticationMethod,
  factorId: string | null,
): Promise<ActiveSession> {
  const now = context.now();
  await tx.query(sql`update auth.sessions set aal = 'aal2', factor_id = ${factorId}, refreshed_at = ${now},
    reauthenticated_at = ${now}, refresh_token_counter = refresh_token_counter + 1,
    refresh_token_floor = refresh_token_counter + 1, updated_at = ${now} where id = ${session.id}`);
  await recordAuthMethod(tx, session.id, method, now);
  await tx.query(
    sql`delete from auth.sessions where user_id = ${session.user_id} and id <> ${session.id} and aal = 'aal1'`,
  );
  return loadSession(tx, session.id);
}
