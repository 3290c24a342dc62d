/**
 * Function `send-user-invitation` (specification section 7): sends or resends an invitation. Status 200
 * means that the record is stored; `success` tells whether the mail was handed over.
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

/** @param arrivedAt when the call reached the service. */
export async function sendUserInvitation(
  c: Context<AppEnv>,
  invitations: Invitations,
  { identity, arrivedAt }: { readonly identity: Principal; readonly arrivedAt: Date },
): Promise<Response> {
  // Other fields of the body (a role, a redirect, a status) have no meaning and are not read.
  const { email, full_name: fullName } = checked(await readJsonBody(c));
  const { invitationId, expiresAt, delivery } = await invitations.invite({
    email,
    fullName,
    invitedBy: identity.userId,
    authorize: (tx) => requirePlatformAdmin(tx, identity, c.get('requestId')),
    arrivedAt,
  });
  const success = succeeded(delivery.outcome);
  const answer: InvitationResponse = {
    success,
    invitation_id: invitationId,
    expires_at: expiresAt.toISOString(),
    ...(success || delivery.answer === null ? {} : { reason: delivery.answer }),
  };
  return c.json(answer);
}

function checked(body: Readonly<Record<string, unknown>>): InvitationInput {
  const result = invitationSchema.safeParse({ full_name: body['full_name'], email: body['email'] });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const message = issue?.message ?? 'Invalid input';
  // The form shows the message at its field; here the sentence has to name it.
  const named =
    issue?.path[0] === 'full_name' && !message.startsWith('Full name') ? `Full name: ${message}` : message;
  throw new ApiError(400, 'validation_failed', named);
}
