/** Functions about invitations of members: list, invite, resend, link, revoke. */
import { toExpiryChoice } from '@lanternrock/contract/invitation-terms';
import { invitationIdSchema } from '@lanternrock/contract/invitations';
import { inviteMemberSchema, memberInvitationsSchema } from '@lanternrock/contract/member-invitations';
import { readMemberInvitations } from '../invitations/member-invitation-list.ts';
import {
  createMemberInvitationLink,
  endMemberInvitation,
  inviteMember,
  resendMemberInvitation,
} from '../invitations/member-invitations.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';
import { toInvitationResponse, toLinkResponse } from './invitation-response.ts';

export const accountMemberInvitations = defineFunction({
  name: 'account-member-invitations',
  input: memberInvitationsSchema,
  noStore: true,
  work: async ({ input, transaction, now }) =>
    transaction(async (tx) => readMemberInvitations(tx, { accountId: input.account_id, now: await now(tx) })),
});

/** Other fields of the body, such as a role, are ignored. */
export const inviteAccountMember = defineFunction({
  name: 'invite-account-member',
  limit: functionLimits.invitations,
  input: inviteMemberSchema,
  noStore: true,
  work: async ({ input, principal, authorize, ...services }) =>
    toInvitationResponse(
      await inviteMember(services, {
        accountId: input.account_id,
        email: input.email,
        fullName: input.full_name,
        membershipEnd: input.ends_at ? new Date(input.ends_at) : null,
        ...(input.terms && {
          terms: { note: input.terms.note ?? undefined, expiry: toExpiryChoice(input.terms) ?? undefined },
        }),
        invitedBy: principal.userId,
        authorize,
      }),
    ),
});

export const resendAccountMemberInvitation = defineFunction({
  name: 'resend-account-member-invitation',
  limit: functionLimits.invitations,
  input: invitationIdSchema,
  noStore: true,
  work: async ({ input, principal, authorize, ...services }) =>
    toInvitationResponse(
      await resendMemberInvitation(services, {
        id: input.invitation_id,
        invitedBy: principal.userId,
        authorize,
      }),
    ),
});

export const createAccountMemberInvitationLink = defineFunction({
  name: 'create-account-member-invitation-link',
  limit: functionLimits.administrators,
  input: invitationIdSchema,
  fresh: 'Creating an invitation link',
  noStore: true,
  returnsSecret: true,
  work: async ({ input, principal, client, authorize, ...services }) =>
    toLinkResponse(
      await createMemberInvitationLink(services, {
        id: input.invitation_id,
        invitedBy: principal.userId,
        client,
        authorize,
      }),
    ),
});

export const revokeAccountMemberInvitation = defineFunction({
  name: 'revoke-account-member-invitation',
  limit: functionLimits.invitations,
  input: invitationIdSchema,
  noStore: true,
  work: async ({ input, authorize, ...services }) => {
    await endMemberInvitation(services, { id: input.invitation_id, authorize });
    return { success: true };
  },
});
