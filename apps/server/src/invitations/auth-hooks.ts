/** Connects invitations, profiles and administrators to the Auth API. */
import { fullNameField } from '@lanternrock/contract/invitations';
import { sql } from '@lanternrock/postgres';
import { AuthError } from '@lanternrock/auth';
import type { AuthHooks } from '@lanternrock/auth/ports';
import { findUserById } from '@lanternrock/auth/users';
import type { Config } from '../config/settings.ts';
import type { Outbox } from '../mail/outbox.ts';
import { notifyAdministrators } from '../administrators/administrator-notices.ts';
import { addInvitationToken, findInvitationByToken, buildInvitationLink } from './invitation-tokens.ts';
import { recordLinkOpen } from './link-opens.ts';

export const createAuthHooks = (
  { SITE_URL }: Pick<Config, 'SITE_URL'>,
  outbox: Pick<Outbox, 'enqueue'>,
): AuthHooks => ({
  async resolveInvite(tx, { tokenHash, openedBy, now }) {
    const invitation = await findInvitationByToken(tx, tokenHash, now);
    if (invitation?.isExpired) return 'expired';
    if (!invitation?.userId) return null;
    const { id, userId, email, isUserActive } = invitation;
    if (openedBy && isUserActive)
      await recordLinkOpen(tx, { invitationId: id, userAgent: openedBy.userAgent ?? '', now });
    return { userId, email, reference: id };
  },

  async passwordSet(tx, { userId, inviteReference, now }) {
    const [row] = await tx.query<{ accepted: boolean }>(
      sql`select private.accept_invitation(${userId}, ${inviteReference}) as accepted`,
    );
    const accepted = row?.accepted === true;
    // The invitation was revoked, has expired or was accepted since the link was opened.
    if (!accepted && inviteReference !== null)
      throw new AuthError(
        403,
        'otp_expired',
        'This invitation is no longer valid. Please request a new one.',
      );
    if (accepted) {
      const user = await findUserById(tx, userId);
      const event = { event: 'accepted', email: user?.email ?? '', actorId: userId, now } as const;
      await notifyAdministrators(tx, outbox, event);
    }
    return accepted;
  },

  /** Sends the pending invitation again, with an additional link. */
  async setupEmail(tx, { userId, token: { token }, now }) {
    const invitation = await addInvitationToken(tx, userId, token, now);
    if (!invitation) return null;
    const { note, inviter } = invitation;
    return {
      kind: 'invitation',
      data: { ...(inviter ? { inviter } : {}), ...(note ? { note } : {}) },
      reference: invitation.id,
      link: buildInvitationLink(SITE_URL, token),
      expiresAt: invitation.expiresAt,
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
