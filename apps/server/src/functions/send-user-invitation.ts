/**
 * Function `send-user-invitation`: sends or resends an invitation. Status 200 means that the invitation is stored;
 * `success` is true if the email was accepted.
 */
import {
  invitationSchema,
  type InvitationResponse,
  type InvitationInput,
} from '@lanternrock/contract/invitations';
import type { Context } from 'hono';
import type { AppEnv } from '../http/context.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { Invitations } from '../invitations/invitations.ts';
import { succeeded } from '../mail/email-job.ts';
import { readJsonBody } from './json-body.ts';
import { requirePlatformAdmin } from './platform-admin.ts';

/** @param arrivedAt time at which the request reached the service */
export async function sendUserInvitation(
  c: Context<AppEnv>,
  invitations: Invitations,
  { principal, arrivedAt }: { readonly principal: Principal; readonly arrivedAt: Date },
): Promise<Response> {
  // Other fields of the body, such as a role or a redirect URL, are ignored.
  const { email, full_name: fullName } = parseInvitation(await readJsonBody(c));
  const { invitationId, expiresAt, delivery } = await invitations.invite({
    email,
    fullName,
    invitedBy: principal.userId,
    authorize: (tx) => requirePlatformAdmin(tx, principal, c.get('requestId')),
    arrivedAt,
  });
  const success = succeeded(delivery.outcome);
  const response: InvitationResponse = {
    success,
    invitation_id: invitationId,
    expires_at: expiresAt.toISOString(),
    ...(success || delivery.answer === null ? {} : { reason: delivery.answer }),
  };
  return c.json(response);
}

function parseInvitation(body: Readonly<Record<string, unknown>>): InvitationInput {
  const result = invitationSchema.safeParse({ full_name: body['full_name'], email: body['email'] });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const message = issue?.message ?? 'Invalid input';
  // A form shows the message next to its field. An API response must name the field.
  const withField =
    issue?.path[0] === 'full_name' && !message.startsWith('Full name') ? `Full name: ${message}` : message;
  throw new ApiError(400, 'validation_failed', withField);
}
