/** Deletes expired rows. Idempotent; safe to run on several replicas. */
import { type Database, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { deleteExpired } from '@lanternrock/postgres/delete-expired';
import type { AuthSettings } from './settings.ts';
import { deleteExpiredSessions } from './sessions/session-writes.ts';

const daySeconds = 86_400;

/** Keeps expired sessions for three days and other expired rows for one, for diagnosis and exact error messages. */
export async function purgeExpired(database: Database, config: AuthSettings, now: Date): Promise<void> {
  const oldest = addSeconds(now, -config.AUDIT_RETENTION * daySeconds);
  const yesterday = addSeconds(now, -daySeconds);
  for (const table of ['auth.one_time_tokens', 'auth.flow_state', 'auth.webauthn_challenges'])
    await deleteExpired(database, table, sql`expires_at < ${yesterday}`);
  await deleteExpired(database, 'auth.mfa_challenges', sql`created_at < ${yesterday}`);
  await deleteExpired(database, 'auth.mfa_factors', sql`status = 'unverified' and created_at < ${yesterday}`);
  await deleteExpired(database, 'auth.rate_limits', sql`ends_at < ${yesterday}`);
  await deleteExpired(database, 'auth.audit_log_entries', sql`created_at < ${oldest}`);
  await deleteExpiredSessions(database, addSeconds(now, -3 * daySeconds));
}
