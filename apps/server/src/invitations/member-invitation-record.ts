/** Creates, reopens, extends and revokes records of invitations of members: one per account and email address. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { revokeInvitedSessions } from '@lanternrock/auth/users';
import { accountNotFoundError, DomainError } from '../errors.ts';
import { replacedAnswers, replaceQueuedEmails } from '../mail/deliveries.ts';
import { toMembershipError } from '../to-membership-error.ts';
import { ensureInvitedUser, findExistingUser } from './invited-user.ts';
import { termColumns, type Terms } from './term-columns.ts';

export interface PendingMemberInvitation {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly fullName: string;
  /** Name of the account. */
  readonly account: string;
  readonly expiresAt: Date;
  readonly note: string | null;
  /** The end date of the membership; null for none. */
  readonly membershipEnd: Date | null;
}

/** Returns the values of the email that are about the membership. */
export const toMembershipData = ({
  account,
  membershipEnd,
}: Pick<PendingMemberInvitation, 'account' | 'membershipEnd'>) => ({
  account,
  ...(membershipEnd ? { endsAt: membershipEnd.toISOString() } : {}),
});

/** @throws DomainError account_not_found */
async function readAccountName(tx: Transaction, accountId: string): Promise<string> {
  const [account] = await tx.query<{ name: string }>(
    sql`select name from public.accounts where id = ${accountId}`,
  );
  if (!account) throw accountNotFoundError();
  return account.name;
}

const notInvitable = (message: string): DomainError => new DomainError('not_invitable', message);

/**
 * Creates the user of an invitation, or prepares one who has never signed in. All others are rejected: an invitation must not
 * end a ban, nor set the password of a user who has rights already.
 *
 * @returns the ID of the user
 * @throws DomainError not_invitable
 */
async function prepareMember(
  tx: Transaction,
  invited: { readonly email: string; readonly fullName: string; readonly now: Date },
): Promise<string> {
  const { email, now } = invited;
  const user = await findExistingUser(tx, email, now);
  if (user?.isBlocked)
    throw notInvitable(
      `${email} is blocked and cannot sign in. An invitation as a member does not change that.`,
    );
  if (user?.canSignIn) throw notInvitable(`${email} can sign in already. Add them as a member instead.`);
  const roles = await tx.query(sql`select from public.user_roles where user_id = ${user?.id ?? null}`);
  if (roles.length > 0) throw notInvitable(`${email} has a role. Invite them as an administrator instead.`);
  return ensureInvitedUser(tx, user, invited);
}

interface NewMemberInvitation {
  readonly accountId: string;
  /** Normalized. */
  readonly email: string;
  readonly fullName: string;
  /** The inviting administrator. */
  readonly invitedBy: string | null;
  readonly terms?: Terms | undefined;
  /** The end date of the membership; null for none. The links expire then at the latest. */
  readonly membershipEnd: Date | null;
  readonly now: Date;
  /** TTL of an invitation without a chosen expiry, in seconds. */
  readonly ttlSeconds: number;
}

/**
 * Creates the invitation, or reopens one that is revoked, accepted or expired, whose queued emails end.
 *
 * @throws DomainError account_not_found, not_invitable, already_member, membership_outlasts_role
 * @throws DomainError already_invited, if it is pending
 */
export async function createMemberInvitation(
  tx: Transaction,
  request: NewMemberInvitation,
): Promise<PendingMemberInvitation> {
  const { accountId, email, fullName, invitedBy, membershipEnd, now, ttlSeconds } = request;
  const account = await readAccountName(tx, accountId);
  await endQueuedEmails(tx, request);
  const userId = await prepareMember(tx, { email, fullName, now });
  const members = await tx.query(
    sql`select from public.account_members where account_id = ${accountId} and user_id = ${userId}`,
  );
  if (members.length > 0)
    throw new DomainError('already_member', `${email} is already a member of this account.`);
  const { note, seconds, until } = termColumns(request.terms);
  const [row] = await tx
    .query<{ id: string; expires_at: Date }>(
      sql`insert into private.member_invitations as i
          (account_id, email, full_name, user_id, invited_by, invited_at, expires_at, note, term_seconds, term_until,
            membership_ends_at)
        values (${accountId}, ${email}, ${fullName}, ${userId}, ${invitedBy}, ${now},
          least(private.invitation_expiry(${seconds}, ${until}, ${ttlSeconds}, ${now}), ${membershipEnd}::timestamptz),
          ${note}, ${seconds}, ${until}, ${membershipEnd})
        on conflict (account_id, email) do update set
          full_name = excluded.full_name, user_id = excluded.user_id, invited_by = excluded.invited_by,
          invited_at = excluded.invited_at, expires_at = excluded.expires_at, note = excluded.note,
          term_seconds = excluded.term_seconds, term_until = excluded.term_until,
          membership_ends_at = excluded.membership_ends_at,
          accepted_at = null, last_sent_at = null, send_count = 0, status = 'pending'
        where i.status <> 'pending' or i.expires_at <= ${now}
        returning i.id, i.expires_at`,
    )
    .catch((error: unknown) => {
      throw toMembershipError(error);
    });
  if (!row)
    throw new DomainError(
      'already_invited',
      `${email} has a pending invitation to this account. Resend it instead.`,
    );
  return { id: row.id, userId, email, fullName, account, expiresAt: row.expires_at, note, membershipEnd };
}

/**
 * Ends the emails of an expired invitation. Call it first: the worker locks a delivery before the invitation and the user,
 * too.
 */
async function endQueuedEmails(
  tx: Transaction,
  { accountId, email, now }: Pick<NewMemberInvitation, 'accountId' | 'email' | 'now'>,
): Promise<void> {
  const [stored] = await tx.query<{ id: string }>(
    sql`select id from private.member_invitations where account_id = ${accountId} and email = ${email}`,
  );
  if (stored) await replaceQueuedEmails(tx, { kind: 'member_invitation', reference: stored.id, now });
}

export interface OpenMemberInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly fullName: string;
  readonly status: string;
  readonly send_count: number;
  readonly last_sent_at: Date | null;
  /** The end of the attempt to send its email; null if none is being sent. */
  readonly sendingUntil: Date | null;
}

/** Finds an invitation by its ID, in any status, without a lock. */
export async function findMemberInvitation(
  tx: Transaction,
  id: string,
  now: Date,
): Promise<OpenMemberInvitation | null> {
  const [row] = await tx.query<OpenMemberInvitation>(
    sql`select i.id, i.account_id as "accountId", i.email, i.full_name as "fullName", i.status, i.send_count,
          i.last_sent_at, (select max(d.lease_until) from private.deliveries d
            where d.member_invitation_id = i.id and d.status = 'waiting' and d.lease_until > ${now}) as "sendingUntil"
        from private.member_invitations i where i.id = ${id}`,
  );
  return row ?? null;
}

/**
 * Starts the validity of an open invitation again, for the next email.
 *
 * @throws DomainError not_invitable, membership_outlasts_role
 * @throws DomainError membership_ended, if the end date of the membership has passed
 * @throws DomainError account_not_found
 * @throws DomainError invitation_ended, if it was accepted or revoked
 */
export async function extendMemberInvitation(
  tx: Transaction,
  { id, accountId, email, fullName }: OpenMemberInvitation,
  { invitedBy, now, ttlSeconds }: Pick<NewMemberInvitation, 'invitedBy' | 'now' | 'ttlSeconds'>,
): Promise<PendingMemberInvitation> {
  const account = await readAccountName(tx, accountId);
  const userId = await prepareMember(tx, { email, fullName, now });
  const [row] = await tx
    .query<{ expires_at: Date; note: string | null; membership_ends_at: Date | null }>(
      sql`update private.member_invitations set user_id = ${userId}, invited_by = ${invitedBy},
          expires_at = least(private.invitation_expiry(term_seconds, term_until, ${ttlSeconds}, ${now}), membership_ends_at)
        where id = ${id} and status = 'pending' returning expires_at, note, membership_ends_at`,
    )
    .catch((error: unknown) => {
      throw toMembershipError(error);
    });
  if (!row) throw memberInvitationEndedError(email);
  // Only the end date of the membership gives an expiry that has passed.
  if (row.expires_at <= now) throw endedMembershipError(email);
  const { expires_at: expiresAt, note, membership_ends_at: membershipEnd } = row;
  return { id, userId, email, fullName, account, expiresAt, note, membershipEnd };
}

const endedMembershipError = (email: string): DomainError =>
  new DomainError(
    'membership_ended',
    `The end date of the membership of ${email} has passed. Revoke the invitation, and invite them again.`,
  );

export const memberInvitationEndedError = (email: string): DomainError =>
  new DomainError('invitation_ended', `The invitation of ${email} was accepted or revoked.`);

/**
 * Revokes an open invitation, its links, the sessions created by them, and its queued emails. An email that is being sent
 * arrives with a link that no longer works.
 *
 * @returns false if the invitation is not open
 */
export async function revokeMemberInvitation(tx: Transaction, id: string, now: Date): Promise<boolean> {
  // Deliveries first: `finishDelivery` locks the delivery before the invitation, too.
  const answer = replacedAnswers.revoked;
  await replaceQueuedEmails(tx, { kind: 'member_invitation', reference: id, answer, now });
  const revoked = await tx.query(
    sql`update private.member_invitations set status = 'revoked', expires_at = least(expires_at, ${now}::timestamptz)
        where id = ${id} and status = 'pending' returning id`,
  );
  if (revoked.length === 0) return false;
  await tx.query(sql`delete from private.member_invitation_tokens where invitation_id = ${id}`);
  await revokeInvitedSessions(tx, id);
  return true;
}
