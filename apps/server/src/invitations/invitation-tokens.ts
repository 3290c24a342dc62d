/**
 * Link tokens of invitations: 256 random bits in the email, their hash in the database. An invitation can have many.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';

/** SHA-256 without a salt is sufficient, because the token has 256 bits of entropy. */
const hashInvitationToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Builds the link of an invitation. The page redeems the token by POST, so that opening the link does not consume it.
 */
export const invitationLink = (siteUrl: string, token: string): string =>
  `${siteUrl}/auth/callback?setup=true&token_hash=${token}&type=invite`;

/** Creates an additional token of the invitation. Earlier tokens stay valid until they expire. */
export async function createInvitationToken(
  tx: Transaction,
  invitation: { readonly id: string; readonly expiresAt: Date },
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await tx.query(
    sql`delete from private.invitation_tokens where invitation_id = ${invitation.id} and expires_at <= ${now}`,
  );
  await tx.query(
    sql`insert into private.invitation_tokens (token_hash, invitation_id, expires_at, created_at)
        values (${hashInvitationToken(token)}, ${invitation.id}, ${invitation.expiresAt}, ${now})`,
  );
  return token;
}

export interface ActiveInvitation {
  readonly invitationId: string;
  readonly userId: string;
  readonly email: string;
  readonly expiresAt: Date;
}

/**
 * Finds the open invitation of a link, without consuming the token.
 *
 * @param token the token of the link, or its hash
 * @returns null if the token is unknown or the invitation is expired, revoked or accepted
 */
export async function findInvitationByToken(
  tx: Transaction,
  token: string | Uint8Array,
  now: Date,
): Promise<ActiveInvitation | null> {
  const hash = typeof token === 'string' ? hashInvitationToken(token) : token;
  const [row] = await tx.query<{ id: string; user_id: string; email: string; expires_at: Date }>(
    sql`select i.id, i.user_id, i.email, t.expires_at
        from private.invitation_tokens t join private.invitations i on i.id = t.invitation_id
        where t.token_hash = ${hash} and t.expires_at > ${now}
          and i.status = 'pending' and i.expires_at > ${now} and i.user_id is not null`,
  );
  return row
    ? { invitationId: row.id, userId: row.user_id, email: row.email, expiresAt: row.expires_at }
    : null;
}

/** Returns true if the invitation is pending and the link is known but expired. */
export async function isExpiredInvitation(tx: Transaction, token: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    sql`select from private.invitation_tokens t join private.invitations i on i.id = t.invitation_id
        where t.token_hash = ${hashInvitationToken(token)} and i.status = 'pending'
          and least(t.expires_at, i.expires_at) <= ${now}`,
  );
  return rows.length > 0;
}
