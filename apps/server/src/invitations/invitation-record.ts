/** One record per address for ever: opened, opened again, revoked. SQL and rules, no mail. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../errors.ts';
import { ensureInvitedUser, findExistingUser } from './invited-user.ts';

export interface InvitationRequest {
  /** In its normal form. */
  readonly email: string;
  readonly fullName: string;
  /** The inviting user; null for the command line. */
  readonly invitedBy: string | null;
  readonly now: Date;
  /** Life of the invitation in seconds. */
  readonly lifetime: number;
}

export interface PendingInvitation {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly fullName: string;
  readonly expiresAt: Date;
}

interface InvitationState {
  id: string;
  status: string;
  send_count: number;
  last_sent_at: Date | null;
}

/** Serializes everything that happens to one address, whichever copy of the service does it. */
export async function lockEmail(tx: Transaction, email: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('invitation:' || ${email}::text, 0))`);
}

/**
 * The record without a lock on it: acceptance locks the user first and the record second, and every
 * other path must keep that order.
 */
export async function readInvitation(tx: Transaction, email: string): Promise<InvitationState | null> {
  const [row] = await tx.query<InvitationState>(
    sql`select id, status, send_count, last_sent_at from private.invitations where email = ${email}`,
  );
  return row ?? null;
}

/**
 * The first resend is free, because people press it right after inviting; then one per cooldown.
 * @param cooldown seconds.
 * @returns seconds until the invitation may be sent again, 0 when it may be now.
 */
export function resendCooldownSeconds(
  invitation: Omit<InvitationState, 'id'> | null,
  cooldown: number,
  now: Date,
): number {
  if (invitation?.status !== 'pending' || invitation.send_count < 2 || !invitation.last_sent_at) return 0;
  // The clock was ahead then: without this the wait would last until it is there again.
  if (invitation.last_sent_at > now) return 0;
  return Math.max(0, Math.ceil((invitation.last_sent_at.getTime() + cooldown * 1000 - now.getTime()) / 1000));
}

/** @throws ApiError 429 with the seconds that are left. */
export function requireResendCooldownElapsed(
  invitation: InvitationState | null,
  cooldown: number,
  now: Date,
): void {
  const left = resendCooldownSeconds(invitation, cooldown, now);
  if (left === 0) return;
  throw new ApiError(
    429,
    'resend_cooldown',
    `The invitation was sent a moment ago. Try again in ${left} ${left === 1 ? 'second' : 'seconds'}.`,
    { headers: { 'Retry-After': String(left) } },
  );
}

/**
 * Opens the invitation of an address, or opens it again: whatever became of an earlier one, it is
 * refused only while the person holds the role today.
 * @throws ApiError 409 `already_administrator`
 */
export async function createOrReopenInvitation(
  tx: Transaction,
  request: InvitationRequest,
): Promise<PendingInvitation> {
  const { email, fullName, invitedBy, now, lifetime } = request;
  const person = await findExistingUser(tx, email, now);
  if (person?.administrator) {
    throw new ApiError(409, 'already_administrator', `${email} is already an administrator.`);
  }
  const userId = await ensureInvitedUser(tx, person, { email, fullName, now });
  const expiresAt = new Date(now.getTime() + lifetime * 1000);
  // Sending again keeps the place in the list; opening again after an end is a new invitation.
  const [row] = await tx.query<{ id: string }>(
    sql`insert into private.invitations as i (email, full_name, user_id, invited_by, invited_at, expires_at)
        values (${email}, ${fullName}, ${userId}, ${invitedBy}, ${now}, ${expiresAt})
        on conflict (email) do update set
          full_name = excluded.full_name,
          user_id = excluded.user_id,
          invited_by = coalesce(excluded.invited_by, i.invited_by),
          expires_at = excluded.expires_at,
          invited_at = case when i.status in ('accepted', 'revoked', 'removed') then excluded.invited_at else i.invited_at end,
          send_count = case when i.status in ('accepted', 'revoked', 'removed') then 0 else i.send_count end,
          accepted_at = null,
          status = 'pending'
        returning i.id`,
  );
  if (!row) throw new Error('No invitation was written');
  return { id: row.id, userId, email, fullName, expiresAt };
}

/** Ends an open invitation, all its links, all sessions that came from one, and mails that still wait. */
export async function revokeInvitation(tx: Transaction, email: string, now: Date): Promise<boolean> {
  // Mails first: their outcome is written in the order mail, invitation.
  await tx.query(
    sql`update private.deliveries d
        set status = 'refused', answer = 'The invitation was revoked.', sealed = null, finished_at = ${now}
        from private.invitations i
        where i.email = ${email} and i.status not in ('accepted', 'revoked', 'removed')
          and d.invitation_id = i.id and d.status = 'waiting' and not d.attended`,
  );
  const [row] = await tx.query<{ id: string }>(
    sql`update private.invitations set status = 'revoked', expires_at = least(expires_at, ${now}::timestamptz)
        where email = ${email} and status not in ('accepted', 'revoked', 'removed') returning id`,
  );
  if (!row) return false;
  await tx.query(sql`delete from private.invitation_tokens where invitation_id = ${row.id}`);
  await tx.query(sql`delete from auth.sessions where tag = ${`invitation:${row.id}`}`);
  return true;
}
