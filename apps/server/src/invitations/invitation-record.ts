/** Creates, reopens and revokes invitation records. There is one record per email address, which is never deleted. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { type ListAction, startListAction } from '../audit-run.ts';
import { DomainError } from '../errors.ts';
import { revokeInvitedSessions } from '@lanternrock/auth/users';
import { replacedAnswers, replaceQueuedEmails } from '../mail/deliveries.ts';
import { termColumns, type Terms } from './term-columns.ts';
import { ensureInvitedUser, findExistingUser } from './invited-user.ts';

interface InvitationRequest {
  /** Normalized. */
  readonly email: string;
  readonly fullName: string;
  /** The inviting user; null for the command line. */
  readonly invitedBy: string | null;
  readonly now: Date;
  /** TTL of an invitation without a chosen expiry, in seconds. */
  readonly ttlSeconds: number;
  /** Absent fields keep their stored values. */
  readonly terms?: Terms | undefined;
}

export interface PendingInvitation {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly fullName: string;
  readonly expiresAt: Date;
  readonly note: string | null;
  /** False if the invitation was already open: it was sent again. */
  readonly isNew: boolean;
}

interface InvitationState {
  id: string;
  status: string;
  send_count: number;
  last_sent_at: Date | null;
}

interface StoredInvitation extends InvitationState {
  expires_at: Date;
}

/**
 * Reads the record without a lock. Acceptance locks the user row before the invitation row; all other code must keep
 * this order to avoid deadlocks.
 */
export async function readInvitation(tx: Transaction, email: string): Promise<StoredInvitation | null> {
  const [row] = await tx.query<StoredInvitation>(
    sql`select id, status, send_count, last_sent_at, expires_at from private.invitations where email = ${email}`,
  );
  return row ?? null;
}

/**
 * Returns the remaining cooldown of a resend. The first resend has no cooldown, because users often resend right after
 * the invitation.
 *
 * @param cooldown in seconds
 * @returns seconds until the invitation can be sent again, or 0
 */
export function getResendCooldownSeconds(
  invitation: Omit<InvitationState, 'id'> | null,
  cooldown: number,
  now: Date,
): number {
  if (invitation?.status !== 'pending' || invitation.send_count < 2 || !invitation.last_sent_at) return 0;
  // A time in the future remains after the clock was set back. It must not extend the cooldown.
  if (invitation.last_sent_at > now) return 0;
  return Math.max(0, Math.ceil((invitation.last_sent_at.getTime() + cooldown * 1000 - now.getTime()) / 1000));
}

/** @throws DomainError resend_cooldown, with the waiting time */
export function requireResendCooldownElapsed(
  invitation: InvitationState | null,
  cooldown: number,
  now: Date,
): void {
  const left = getResendCooldownSeconds(invitation, cooldown, now);
  if (left === 0) return;
  throw new DomainError(
    'resend_cooldown',
    `The last email of this invitation is too recent. Try again in ${left} ${left === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: left },
  );
}

/**
 * Creates the invitation of an email address, or reopens it in any status.
 *
 * @throws DomainError already_administrator, if the user has the role now
 */
export async function createOrReopenInvitation(
  tx: Transaction,
  request: InvitationRequest,
): Promise<PendingInvitation> {
  const { email, fullName, invitedBy, now, ttlSeconds } = request;
  const user = await findExistingUser(tx, email, now);
  if (user?.administrator) {
    throw new DomainError('already_administrator', `${email} is already an administrator.`);
  }
  const [open] = await tx.query(
    sql`select from private.invitations where email = ${email} and status = 'pending' and expires_at > ${now}`,
  );
  const userId = await ensureInvitedUser(tx, user, { email, fullName, now });
  const { note, seconds, until, setsNote, setsExpiry } = termColumns(request.terms);
  // A resend keeps `invited_at` and with it the position in the list. A reopened invitation counts as new, and its
  // earlier terms do not apply. A resend does not extend the role: of two inviters, the one whose role ends first stays.
  // The operator of the command line, who has no role, replaces both.
  const [row] = await tx.query<{ id: string; expires_at: Date; note: string | null }>(
    sql`insert into private.invitations as i
          (email, full_name, user_id, invited_by, role_ends_at, invited_at, expires_at, note, term_seconds, term_until)
        values (${email}, ${fullName}, ${userId}, ${invitedBy},
          (select r.ends_at from public.user_roles r where r.user_id = ${invitedBy} and r.role = 'platform_admin'), ${now},
          private.invitation_expiry(${seconds}, ${until}, ${ttlSeconds}, ${now}), ${note}, ${seconds}, ${until})
        on conflict (email) do update set
          full_name = excluded.full_name,
          user_id = excluded.user_id,
          (invited_by, role_ends_at) = (
            select case when keeps then i.invited_by else excluded.invited_by end,
                case when keeps then i.role_ends_at else excluded.role_ends_at end
              from (select coalesce(i.status not in ('accepted', 'ended', 'revoked', 'removed')
                and excluded.invited_by is not null and i.role_ends_at > ${now}
                and (excluded.role_ends_at is null or i.role_ends_at <= excluded.role_ends_at), false) as keeps) as terms
          ),
          expires_at = case when ${setsExpiry}::boolean or i.status in ('accepted', 'ended', 'revoked', 'removed')
            then excluded.expires_at
            else private.invitation_expiry(i.term_seconds, i.term_until, ${ttlSeconds}, ${now}) end,
          note = case when ${setsNote}::boolean or i.status in ('accepted', 'ended', 'revoked', 'removed')
            then excluded.note else i.note end,
          term_seconds = case when ${setsExpiry}::boolean or i.status in ('accepted', 'ended', 'revoked', 'removed')
            then excluded.term_seconds else i.term_seconds end,
          term_until = case when ${setsExpiry}::boolean or i.status in ('accepted', 'ended', 'revoked', 'removed')
            then excluded.term_until else i.term_until end,
          invited_at = case when i.status in ('accepted', 'ended', 'revoked', 'removed') then excluded.invited_at else i.invited_at end,
          send_count = case when i.status in ('accepted', 'ended', 'revoked', 'removed') then 0 else i.send_count end,
          accepted_at = null,
          status = 'pending'
        returning i.id, i.expires_at, i.note`,
  );
  if (!row) throw new Error('The invitation was not stored');
  return { id: row.id, userId, email, fullName, expiresAt: row.expires_at, note: row.note, isNew: !open };
}

/**
 * Revokes an open invitation, its links, the sessions created by them, and its queued emails. An email that is being sent
 * arrives with a link that no longer works.
 *
 * @returns false if there is no open invitation
 */
export async function revokeInvitation(
  tx: Transaction,
  {
    email,
    list,
    now,
  }: { readonly email: string; readonly list?: ListAction | undefined; readonly now: Date },
): Promise<boolean> {
  const [open] = await tx.query<{ id: string }>(
    sql`select id from private.invitations
        where email = ${email} and status not in ('accepted', 'ended', 'revoked', 'removed')`,
  );
  if (!open) return false;
  // Deliveries first: `finishDelivery` locks the delivery before the invitation, too.
  const answer = replacedAnswers.revoked;
  await replaceQueuedEmails(tx, { kind: 'invitation', reference: open.id, answer, now });
  const [row] = await tx.query<{ id: string }>(
    sql`select id from private.invitations
        where id = ${open.id} and status not in ('accepted', 'ended', 'revoked', 'removed') for no key update`,
  );
  if (!row) return false;
  // Under the lock of the row, because the person can have accepted the invitation meanwhile.
  if (list) await startListAction(tx, list);
  await tx.query(
    sql`update private.invitations set status = 'revoked', expires_at = least(expires_at, ${now}::timestamptz)
        where id = ${row.id}`,
  );
  await tx.query(sql`delete from private.invitation_tokens where invitation_id = ${row.id}`);
  await revokeInvitedSessions(tx, row.id);
  return true;
}
