/** Schemas and responses of the functions about invitations of members. */
import * as z from 'zod/mini';
import { membershipEndField } from './account-members.ts';
import { termsSchema } from './invitation-terms.ts';
import { invitationSchema, type DeliveryStatus } from './invitations.ts';

const account_id = z.uuid({ error: 'Invalid account' });

/** Body of `account-member-invitations`. */
export const memberInvitationsSchema = z.object({ account_id });

/** Body of `invite-account-member`. `ends_at` is the end date of the membership. */
export const inviteMemberSchema = z.extend(invitationSchema, {
  terms: z.optional(termsSchema),
  account_id,
  ends_at: z.optional(membershipEndField),
});

/** The name of an invited person; their email address is known. */
export const invitedNameSchema = z.pick(invitationSchema, { full_name: true });

/** Maximum number of invitations in the response of `account-member-invitations`. */
export const maxMemberInvitations = 100;

/** An invitation of a member that is neither accepted nor revoked. */
export interface MemberInvitation {
  readonly id: string;
  readonly email: string;
  readonly full_name: string;
  readonly status: 'pending' | 'expired';
  /** RFC 3339. */
  readonly invited_at: string;
  /** RFC 3339. */
  readonly expires_at: string;
  /** End date of the membership (RFC 3339); null without one. The link expires then at the latest. */
  readonly ends_at: string | null;
  /** Display name or email of the administrator who sent it last; null if they are deleted. */
  readonly invited_by: string | null;
  /** The status of the last email; null if its record is deleted. */
  readonly email_status: DeliveryStatus | null;
  /** True if no email has delivered the link and none is being sent, so an administrator can share it. */
  readonly link_allowed: boolean;
}

/** Response of `account-member-invitations`: newest first. */
export interface MemberInvitationsResponse {
  readonly invitations: readonly MemberInvitation[];
  /** True if there are more than `maxMemberInvitations`. */
  readonly more: boolean;
}
