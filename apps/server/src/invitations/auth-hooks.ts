/** Connects invitations and profiles to the Auth API. */
import { fullNameField } from '@lanternrock/contract/invitations';
import { sql } from '@lanternrock/postgres';
import { AuthError } from '../auth/auth-error.ts';
import type { AuthHooks } from '../auth/hooks.ts';
import { hashLinkToken } from '../auth/one-time-tokens/one-time-tokens.ts';
import type { Config } from '../config/settings.ts';
import { findInvitationByToken, invitationLink, invitationTag } from './invitation-tokens.ts';
import { recordLinkOpen } from './link-opens.ts';

const invitationIdFrom = (tag: string | null): string | null => tag?.replace(/^invitation:/, '') ?? null;

export const createAuthHooks = ({ SITE_URL }: Pick<Config, 'SITE_URL'>): AuthHooks => ({
  async resolveInvite(tx, { tokenHash, openedBy, now }) {
    const invitation = await findInvitationByToken(tx, tokenHash, now);
    if (invitation?.isExpired) return 'expired';
    if (!invitation?.userId) return null;
    const { id, userId, email, isUserActive } = invitation;
    if (openedBy && isUserActive)
      await recordLinkOpen(tx, { invitationId: id, userAgent: openedBy.userAgent ?? '', now });
    return { userId, email, tag: invitationTag(id) };
  },

  async passwordSet(tx, { userId, tag }) {
    const [row] = await tx.query<{ accepted: boolean }>(
      sql`select private.accept_invitation(${userId}, ${invitationIdFrom(tag)}) as accepted`,
    );
    const accepted = row?.accepted === true;
    // The invitation was revoked, has expired or was accepted since the link was opened.
    if (!accepted && tag !== null)
      throw new AuthError(
        403,
        'otp_expired',
        'This invitation is no longer valid. Please request a new one.',
      );
    return accepted;
  },

  /** Sends the pending invitation again, with an additional link. */
  async setupEmail(tx, { userId, token: { token }, now }) {
    const [invitation] = await tx.query<{ id: string; expires_at: Date }>(
      sql`with pending as (
            select id, expires_at from private.invitations
            where user_id = ${userId}::uuid and status = 'pending' and expires_at > ${now}
            limit 1
          ), added as (
            insert into private.invitation_tokens (token_hash, invitation_id, expires_at)
            select ${hashLinkToken(token)}, id, expires_at from pending
          )
          select * from pending`,
    );
    if (!invitation) return null;
    return {
      kind: 'invitation',
      reference: invitation.id,
      link: invitationLink(SITE_URL, token),
      expiresAt: invitation.expires_at,
    };
  },

  /** Copies the name in the metadata to the profile if it is a valid name. */
  async userDataChanged(tx, { userId, data }) {
    const name = fullNameField.safeParse(data['full_name']);
    if (!name.success) return;
    await tx.query(sql`update public.profiles set full_name = ${name.data}
      where id = ${userId} and full_name is distinct from ${name.data}`);
  },
});
