/** The responses of the functions that send an invitation, or create its link. */
import type { InvitationLinkResponse, InvitationResponse } from '@lanternrock/contract/invitations';
import type { InvitationLink, InviteResult } from '../invitations/invitations.ts';
import { succeeded } from '../mail/email-job.ts';

export function toInvitationResponse({
  invitationId,
  expiresAt,
  delivery,
}: InviteResult): InvitationResponse {
  const success = succeeded(delivery.outcome);
  return {
    success,
    invitation_id: invitationId,
    expires_at: expiresAt.toISOString(),
    ...(success || delivery.answer === null ? {} : { reason: delivery.answer }),
    ...(delivery.retryAt ? { retry_at: delivery.retryAt.toISOString() } : {}),
    ...(delivery.outcome === 'captured' ? { delivery: 'local' as const } : {}),
    ...(delivery.outcome === 'waiting' ? { delivery: 'sending' as const } : {}),
  };
}

export const toLinkResponse = ({ link, expiresAt }: InvitationLink): InvitationLinkResponse => ({
  link,
  expires_at: expiresAt.toISOString(),
});
