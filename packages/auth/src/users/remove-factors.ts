import { type Transaction, sql } from '@lanternrock/postgres';
import { writeAuditEntry, type AuditEntry } from '../audit.ts';
import { factorLabel } from '../security-notices.ts';
import { revokeUserSessions } from './session-writes.ts';
import type { FactorRecord, UserRecord } from './user-records.ts';

export type RemovedFactor = Pick<FactorRecord, 'id' | 'user_id' | 'factor_type' | 'friendly_name' | 'status'>;

/**
 * Removes all factors and recovery codes of a user who lost them, revokes all sessions and writes an audit log entry.
 * Lock the user first.
 */
export async function removeFactors(
  tx: Transaction,
  user: UserRecord,
  { actor, client }: Pick<AuditEntry, 'actor' | 'client'>,
): Promise<RemovedFactor[]> {
  const { id, email, factors } = user;
  const removed = await tx.query<RemovedFactor>(sql`delete from auth.mfa_factors where user_id = ${id}
    returning id, user_id, factor_type, friendly_name, status`);
  await tx.query(sql`delete from auth.recovery_code_sets where user_id = ${id}`);
  await revokeUserSessions(tx, id);
  const traits = { user_id: id, email, factors: factors.map(factorLabel) };
  await writeAuditEntry(tx, { action: 'factors_reset', actor, client, traits });
  return removed;
}
