/**
 * Link tokens of invitations, of administrators and of members: 256 random bits in the email, their hash in the database. An
 * invitation can have many.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { sqlOfKind, type InvitationKind } from '../mail/invitation-tables.ts';

/** As the Auth API hashes the token of a link. */
const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Builds the link of an invitation. The page redeems the token by POST, so that opening the link does not consume it.
 */
export const buildInvitationLink = (siteUrl: string, token: string): string =>
  `${siteUrl}/auth/callback?setup=true&token_hash=${token}&type=invite`;

/** With `member=true`, the console shows the memberships after the password is set (`password-setup-marker.ts`). */
export const buildMemberLink = (siteUrl: string, token: string): string =>
  `${siteUrl}/auth/callback?setup=true&member=true&token_hash=${token}&type=invite`;

/** Creates an additional token of the invitation. Earlier tokens stay valid until they expire. */
export async function createInvitationToken(
  tx: Transaction,
  invitation: { readonly kind: InvitationKind; readonly id: string; readonly expiresAt: Date },
  now: Date,
): Promise<string> {
  const { kind, id, expiresAt } = invitation;
  const token = randomBytes(32).toString('base64url');
  await tx.query(
    sqlOfKind(
      kind,
    )`delete from private.invitation_tokens where invitation_id = ${id} and expires_at <= ${now}`,
  );
  await tx.query(
    sqlOfKind(kind)`insert into private.invitation_tokens (token_hash, invitation_id, expires_at, created_at)
        values (${hashLinkToken(token)}, ${id}, ${expiresAt}, ${now})`,
  );
  return token;
}

interface InvitationToResend {
  readonly id: string;
  readonly expiresAt: Date;
  readonly note: string | null;
  /** Display name or email of the inviting administrator. */
  readonly inviter: string | null;
}

/**
 * Adds a token of the caller to the pending invitation of a user.
 *
 * @param userId null runs the same statement and stores nothing
 * @returns null without a pending invitation
 */
export async function addInvitationToken(
  tx: Transaction,
  userId: string | null,
  token: string,
  now: Date,
): Promise<InvitationToResend | null> {
  const [row] = await tx.query<InvitationToResend>(
    sql`with pending as (
          select id, expires_at, note, invited_by from private.invitations
          where user_id = ${userId}::uuid and status = 'pending' and expires_at > ${now}
          limit 1
        ), added as (
          insert into private.invitation_tokens (token_hash, invitation_id, expires_at)
          select ${hashLinkToken(token)}, id, expires_at from pending
        )
        select i.id, i.expires_at as "expiresAt", i.note, private.display_name(p.full_name, b.email) as inviter
        from pending i left join auth.users b on b.id = i.invited_by
          left join public.profiles p on p.id = i.invited_by`,
  );
  return row ?? null;
}

interface MemberInvitationToResend extends InvitationToResend {
  /** Its name. */
  readonly account: string;
  /** The end date of the membership; null for none. */
  readonly membershipEnd: Date | null;
}

/** The same for the newest pending invitation of a member. */
export async function addMemberToken(
  tx: Transaction,
  userId: string | null,
  token: string,
  now: Date,
): Promise<MemberInvitationToResend | null> {
  const [row] = await tx.query<MemberInvitationToResend>(
    sql`with pending as (
          select id, account_id, expires_at, note, invited_by, membership_ends_at from private.member_invitations
          where user_id = ${userId}::uuid and status = 'pending' and expires_at > ${now}
          order by invited_at desc, id limit 1
        ), added as (
          insert into private.member_invitation_tokens (token_hash, invitation_id, expires_at)
          select ${hashLinkToken(token)}, id, expires_at from pending
        )
        select i.id, a.name as account, i.expires_at as "expiresAt", i.note, i.membership_ends_at as "membershipEnd",
          private.display_name(p.full_name, b.email) as inviter
        from pending i join public.accounts a on a.id = i.account_id
          left join auth.users b on b.id = i.invited_by
          left join public.profiles p on p.id = i.invited_by`,
  );
  return row ?? null;
}

interface LinkedInvitation {
  readonly id: string;
  readonly userId: string | null;
  readonly email: string;
  readonly isExpired: boolean;
  /** The user is neither banned nor deleted. */
  readonly isUserActive: boolean;
}

/**
 * Finds the pending invitation of a link, without consuming the token.
 *
 * @returns null if the token is unknown or the invitation is revoked or accepted
 */
export async function findInvitationByToken(
  tx: Transaction,
  kind: InvitationKind,
  { tokenHash, now }: { readonly tokenHash: Uint8Array; readonly now: Date },
): Promise<LinkedInvitation | null> {
  const [row] = await tx.query<LinkedInvitation>(
    sqlOfKind(
      kind,
    )`select i.id, i.user_id as "userId", i.email, least(t.expires_at, i.expires_at) <= ${now} as "isExpired",
          u.deleted_at is null and (u.banned_until is null or u.banned_until <= ${now}) as "isUserActive"
        from private.invitation_tokens t
          join private.invitations i on i.id = t.invitation_id
          left join auth.users u on u.id = i.user_id
        where t.token_hash = ${tokenHash} and i.status = 'pending'`,
  );
  return row ?? null;
}
