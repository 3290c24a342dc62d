/** Reads and stores the note and the chosen expiry of the next email of an invitation. */
import {
  expiryRangeMessage,
  isExpiryInRange,
  type InvitationTerms,
} from '@lanternrock/contract/invitation-terms';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import { DomainError, invitationNotFoundError } from '../errors.ts';
import { lockEmail, type Authorize } from '../administrators/email-action.ts';
import { termColumns, type Terms } from './term-columns.ts';

/** @throws DomainError invalid_expiry */
export function requireExpiryInRange({ expiry }: Terms, now: Date): void {
  if (expiry && !isExpiryInRange(expiry, now))
    throw new DomainError('invalid_expiry', `${expiryRangeMessage}.`);
}

interface TermsRow {
  status: string;
  note: string | null;
  term_seconds: number | null;
  term_until: Date | null;
  next_expires_at: Date;
}

const endedStatuses = new Set(['accepted', 'ended', 'revoked', 'removed']);

/**
 * Reads the terms of an invitation.
 *
 * @param defaultSeconds INVITATION_TTL
 * @returns null for an invitation that takes no terms
 */
export async function readTerms(
  tx: Transaction,
  id: string,
  { defaultSeconds, now }: { readonly defaultSeconds: number; readonly now: Date },
): Promise<InvitationTerms | null> {
  const [row] = await tx.query<TermsRow>(
    sql`select status, note, term_seconds, term_until,
          private.invitation_expiry(term_seconds, term_until, ${defaultSeconds}, ${now}) as next_expires_at
        from private.invitations where id = ${id}`,
  );
  if (!row || endedStatuses.has(row.status)) return null;
  return {
    note: row.note,
    expires_in: row.term_seconds,
    expires_at: row.term_until?.toISOString() ?? null,
    next_expires_at: row.next_expires_at.toISOString(),
  };
}

interface TermsChange {
  readonly id: string;
  readonly terms: Terms;
  readonly defaultSeconds: number;
  readonly now: DatabaseClock['read'];
  readonly authorize: Authorize;
}

/**
 * Stores the terms for the next email and returns them.
 *
 * @throws DomainError no_invitation, invitation_ended, invalid_expiry
 */
export const setTerms = (
  database: Database,
  { id, terms, defaultSeconds, now: readNow, authorize }: TermsChange,
): Promise<InvitationTerms> =>
  database.transaction(async (tx) => {
    await authorize(tx);
    const now = await readNow(tx);
    const [found] = await tx.query<{ email: string; term_until: Date | null }>(
      sql`select email, term_until from private.invitations where id = ${id}`,
    );
    const { expiry } = terms;
    // A stored time that is too close now must not prevent a change of the note.
    const isStored =
      expiry && 'expiresAt' in expiry && expiry.expiresAt.getTime() === found?.term_until?.getTime();
    if (isStored !== true) requireExpiryInRange(terms, now);
    if (!found) throw invitationNotFoundError();
    await lockEmail(tx, found.email);
    const { note, seconds, until, setsNote, setsExpiry } = termColumns(terms);
    const stored = await tx.query(
      sql`update private.invitations set
            note = case when ${setsNote}::boolean then ${note}::text else note end,
            term_seconds = case when ${setsExpiry}::boolean then ${seconds}::integer else term_seconds end,
            term_until = case when ${setsExpiry}::boolean then ${until}::timestamptz else term_until end
          where id = ${id} and status not in ('accepted', 'ended', 'revoked', 'removed') returning id`,
    );
    const read = stored.length > 0 ? await readTerms(tx, id, { defaultSeconds, now }) : null;
    if (!read) throw await endedError(tx, id, found.email);
    return read;
  });

async function endedError(tx: Transaction, id: string, email: string): Promise<DomainError> {
  const [row] = await tx.query<{ status: string }>(
    sql`select status from private.invitations where id = ${id}`,
  );
  const reason = {
    accepted: `${email} has accepted the invitation.`,
    removed: `${email} was removed as an administrator.`,
    ended: `The access of ${email} as an administrator has ended.`,
  }[row?.status ?? ''];
  return new DomainError(
    'invitation_ended',
    `${reason ?? `The invitation of ${email} was revoked.`} A note and an expiry can only be set for a pending invitation.`,
  );
}
