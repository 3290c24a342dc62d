/** Deletes expired rows. Idempotent; safe to run on several replicas. */
import { type Database, sql } from '@lanternrock/postgres';
import type { AuthSettings } from './settings.ts';
import { addSeconds } from './auth-context.ts';
import { deleteExpiredSessions } from './users/session-writes.ts';

const day = 86_400;

/** Keeps expired sessions for three days and other expired rows for one, for diagnosis and exact error messages. */
export async function purgeExpired(database: Database, config: AuthSettings, now: Date): Promise<void> {
  const oldest = addSeconds(now, -config.AUDIT_RETENTION * day);
  const yesterday = addSeconds(now, -day);
  await database.transaction(async (tx) => {
    await tx.query(sql`delete from auth.one_time_tokens where expires_at < ${yesterday}`);
    await tx.query(sql`delete from auth.flow_state where expires_at < ${yesterday}`);
    await tx.query(sql`delete from auth.mfa_challenges where created_at < ${yesterday}`);
    await tx.query(sql`delete from auth.webauthn_challenges where expires_at < ${yesterday}`);
    await tx.query(
      sql`delete from auth.mfa_factors where status = 'unverified' and created_at < ${yesterday}`,
    );
    await tx.query(sql`delete from auth.rate_limits where ends_at < ${yesterday}`);
    await tx.query(sql`delete from auth.audit_log_entries where created_at < ${oldest}`);
    await deleteExpiredSessions(tx, addSeconds(now, -3 * day));
  });
}
