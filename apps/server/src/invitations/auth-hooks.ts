/** Connects invitations, profiles and administrators to the Auth API. */
import { fullNameField } from '@lanternrock/contract/invitations';
import { sql } from '@lanternrock/postgres';
import { AuthError } from '@lanternrock/auth';
import type { AuthHooks } from '@lanternrock/auth/ports';
import { findUserById } from '@lanternrock/auth/users';
import type { Config } from '../config/settings.ts';
import type { Outbox } from '../mail/outbox.ts';
import { notifyAdministrators } from '../administrators/administrator-notices.ts';
import {
  addInvitationToken,
  addMemberToken,
  buildInvitationLink,
  buildMemberLink,
  findInvitationByToken,
} from './invitation-tokens.ts';
import { recordLinkOpen } from './link-opens.ts';
import { toMembershipData } from './member-invitation-record.ts';

export const createAuthHooks = (
  { SITE_URL }: Pick<Config, 'SITE_URL'>,
  outbox: Pick<Outbox, 'enqueue'>,
): AuthHooks => ({
  async resolveInvite(tx, { tokenHash, openedBy, now }) {
    const link = { tokenHash, now };
    const administrator = await findInvitationByToken(tx, 'invitation', link);
    const invitation = administrator ?? (await findInvitationByToken(tx, 'member_invitation', link));
    if (invitation?.isExpired) return 'expired';
    if (!invitation?.userId) return null;
    const { id, userId, email, isUserActive } = invitation;
    if (administrator && openedBy && isUserActive)
      await recordLinkOpen(tx, { invitationId: id, userAgent: openedBy.userAgent ?? '', now });
    return { userId, email, reference: id };
  },

  async passwordSet(tx, { userId, inviteReference, now }) {
    // Before the other invitation gives a role: a user with a role is not accepted as a member.
    const memberships = await tx.query<{ id: string }>(
      sql`select id from private.accept_member_invitations(${userId}) as id`,
    );
    // The reference of an invitation as a member finds no invitation as an administrator.
    const [row] = await tx.query<{ accepted: boolean }>(
      sql`select private.accept_invitation(${userId}, ${inviteReference}) as accepted`,
    );
    const accepted = row?.accepted === true;
    const isMemberLink = memberships.some(({ id }) => id === inviteReference);
    // The invitation was revoked, has expired or was accepted since the link was opened.
    if (!accepted && !isMemberLink && inviteReference !== null)
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
    return accepted || memberships.length > 0;
  },

  /** Sends the pending invitation again, with an additional link. That of an administrator takes precedence. */
  async setupEmail(tx, { userId, token: { token }, now }) {
    const administrator = await addInvitationToken(tx, userId, token, now);
    // Also runs without a user, so that every address needs the same statements.
    const member = await addMemberToken(tx, administrator ? null : userId, token, now);
    const invitation = administrator ?? member;
    if (!invitation) return null;
    const { id, note, inviter, expiresAt } = invitation;
    const account = member ? toMembershipData(member) : {};
    return {
      kind: 'invitation',
      data: { ...account, ...(inviter ? { inviter } : {}), ...(note ? { note } : {}) },
      reference: id,
      link: (member ? buildMemberLink : buildInvitationLink)(SITE_URL, token),
      expiresAt,
    };
  },

  /** Copies the name in the metadata to the profile if it is a valid name. */
  async userDataChanged(tx, { userId, data }) {
    const name = fullNameField.safeParse(data['full_name']);
    if (!name.success) return;
    await tx.query(sql`update public.profiles set full_name = ${name.data}
      where id = ${userId} and full_name is distinct from ${name.data}`);
  },

  requiresSecondFactor,
});

const requiresSecondFactor: AuthHooks['requiresSecondFactor'] = async (tx, userId) => {
  const [row] = await tx.query<{ required: boolean }>(
    sql`select coalesce(private.administrator_denial(${userId}, 'aal1') = 'second_factor_required', false) as required`,
  );
  return row?.required === true;
};
