/** End dates of memberships. The database itself ends the rights. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { QueryError } from '@lanternrock/postgres/errors';
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

/** Returns the API error of a change of the own membership, or the error itself. */
export const toMembershipError = (error: unknown): unknown =>
  error instanceof QueryError && error.constraint === 'account_members_own_end'
    ? new DomainError('own_membership', `${error.message}.`, { cause: error })
    : error;

interface EndedSession {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: Date;
}

/**
 * Marks memberships whose end date has passed as ended, and ends the sessions of their users, unless they have rights left.
 *
 * @returns the number of ended sessions
 */
export const endMemberships = (database: Database): Promise<number> =>
  database.transaction(async (tx: Transaction) => {
    await tx.query(sql`select set_config('request.id', 'end of the membership', true)`);
    const ended = await tx.query<EndedSession>(
      sql`select id, user_id, created_at from private.end_memberships()`,
    );
    if (ended.length > 0) await recordDeletions(tx, 'auth.sessions', ended);
    return ended.length;
  });
