/** Links of invitations: 256 random bits in the mail, their hash in the database, many per invitation. */
import { createHash, randomBytes } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';

/** SHA-256 of the token's text; enough for a secret of full entropy. */
const hashInvitationToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Where the mail leads: the page exchanges the token by POST, so that opening uses nothing up. */
export const invitationLink = (siteUrl: string, token: string): string =>
  `${siteUrl}/auth/callback?setup=true&token_hash=${token}&type=invite`;

/** Makes one more link of the invitation; earlier ones stay good until their own end. */
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
 * The open invitation behind a link, or null for anything unknown, ended, revoked or accepted. Changes nothing.
 * @param token of the link, or its hash
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

/** Whether the link is known and nothing but its time has ended it. */
export async function isExpiredInvitation(tx: Transaction, token: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    sql`select from private.invitation_tokens t join private.invitations i on i.id = t.invitation_id
        where t.token_hash = ${hashInvitationToken(token)} and i.status = 'pending'
          and least(t.expires_at, i.expires_at) <= ${now}`,
  );
  return rows.length > 0;
}
