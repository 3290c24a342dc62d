/** End dates of memberships. The database itself ends the rights. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { recordDeletions } from '../audit-log.ts';
import { DomainError, membershipEndInPastError } from '../errors.ts';

/**
 * Converts the end date of an input.
 *
 * @param endsAt RFC 3339; null removes the end date, undefined keeps it
 * @throws DomainError membership_end_in_past
 */
export function parseMembershipEnd(endsAt: string | null | undefined, now: Date): Date | null | undefined {
  if (endsAt === null || endsAt === undefined) return endsAt;
  const end = new Date(endsAt);
  if (end > now) return end;
  throw membershipEndInPastError();
}

export const membershipEndedError = (): DomainError =>
  new DomainError(
    'membership_ended',
    'This membership has ended. Set a new end date, or remove the end date, to reactivate it.',
  );

/** Maximum number of memberships that one call of private.end_memberships ends. */
const batchSize = 1000;

interface Ended {
  readonly ended: number;
  /** Null if no session was revoked. */
  readonly id: string | null;
  readonly user_id: string;
  readonly created_at: Date;
}

/**
 * Marks memberships whose end date has passed as ended, and ends the sessions of their users, unless they have rights left.
 * Each batch is a transaction: one of all memberships with a common end date could exceed STATEMENT_TIMEOUT each time.
 *
 * @returns the number of ended sessions
 */
export async function endMemberships(database: Database): Promise<number> {
  let revoked = 0;
  for (;;) {
    const { ended, sessions } = await database.transaction(endBatch);
    revoked += sessions;
    if (ended < batchSize) return revoked;
  }
}

async function endBatch(tx: Transaction): Promise<{ ended: number; sessions: number }> {
  await tx.query(sql`select set_config('request.id', 'end of the membership', true)`);
  const rows = await tx.query<Ended>(
    sql`select e.ended, s.id, s.user_id, s.created_at from private.end_memberships() e
        left join lateral jsonb_to_recordset(e.sessions) as s (id uuid, user_id uuid, created_at timestamptz) on true`,
  );
  const sessions = rows.flatMap(({ id, user_id, created_at }) =>
    id === null ? [] : { id, user_id, created_at },
  );
  if (sessions.length > 0) await recordDeletions(tx, 'auth.sessions', sessions);
  return { ended: rows[0]?.ended ?? 0, sessions: sessions.length };
}
