import { invitationSchema } from '@lanternrock/contract/invitations';
import { succeeded } from '../mail/email-job.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

/**
 * Sends or resends an invitation. Status 200 means that the invitation is stored; `success` is true if the email was
 * accepted. With `retry_at`, the service sends the email later. Other fields of the body, such as a role or a redirect URL,
 * are ignored.
 */
export const sendUserInvitation = defineFunction({
  name: 'send-user-invitation',
  limit: functionLimits.invitations,
  input: invitationSchema,
  // A form shows the message next to its field. An API response must name the field.
  invalidMessage: ({ path, message }) =>
    path[0] === 'full_name' && !message.startsWith('Full name') ? `Full name: ${message}` : message,
  work: async ({ input, principal, client, authorize, startedAt, invitations }) => {
    const { invitationId, expiresAt, delivery } = await invitations.invite({
      email: input.email,
      fullName: input.full_name,
      invitedBy: principal.userId,
      client,
      authorize,
      startedAt,
    });
    const success = succeeded(delivery.outcome);
    return {
      success,
      invitation_id: invitationId,
      expires_at: expiresAt.toISOString(),
      ...(success || delivery.answer === null ? {} : { reason: delivery.answer }),
      ...(delivery.retryAt ? { retry_at: delivery.retryAt.toISOString() } : {}),
    };
  },
});
