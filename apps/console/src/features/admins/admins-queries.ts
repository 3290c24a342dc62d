/** Queries and requests of the Admins screen. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import type { InvitationInput } from '@lanternrock/contract/invitations';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, shapeError } from '../../api/errors.ts';
import { findField } from '../../api/json.ts';
import { callFunction } from '../../api/functions.ts';
import { data } from '../../api/data.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { adminsText } from './admins-text.ts';

const text = adminsText.toast;

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => {
    const call = data.from('user_invitations').select('*').order('invited_at', { ascending: false });
    const { data: rows } = await call.abortSignal(signal).throwOnError();
    if (rows.every((row) => typeof row?.id === 'string' && typeof row.email === 'string')) return rows;
    throw shapeError();
  },
});

interface SendResult {
  /** True if the service has no mail server: it saved the email and did not send it. */
  readonly isLocal: boolean;
  /** False if the function reports that the invitation exists, but its email was not sent. */
  readonly emailSent: boolean;
  /** The reason in the response, if any. */
  readonly reason: string | undefined;
  /** Time at which the service tries again, RFC 3339; undefined if it does not. */
  readonly retryAt: string | undefined;
}

/** The message of the published client for a request that was not sent. */
const notSentMessage = 'Failed to send a request to the Edge Function';

/** Sends a new invitation, or resends an existing one. Every success status without an error in the body is a success. */
export const sendInvitation = async (
  invitation: FunctionInput<'send-user-invitation'>,
  signal?: AbortSignal,
): Promise<SendResult> => {
  const call = callFunction('send-user-invitation', invitation, { signal });
  const body = await call.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.kind === 'shape') return null;
    // Other errors without a response are about the session.
    const isNotSent = error.cause instanceof TypeError;
    throw isNotSent ? new ApiError({ kind: 'network', message: notSentMessage, cause: error }) : error;
  });
  const reason = findField(body, 'reason') ?? findField(body, 'error');
  const retryAt = findField(body, 'retry_at');
  return {
    isLocal: findField(body, 'delivery') === 'local',
    emailSent: findField(body, 'success') !== false,
    reason: typeof reason === 'string' ? reason : undefined,
    retryAt: typeof retryAt === 'string' ? retryAt : undefined,
  };
};

/** Resends an invitation. Toasts report the result. */
export const useResend = () => {
  const client = useQueryClient();
  return useSubmit<InvitationInput, SendResult>({
    // A separate toast per email address, because several resends can run concurrently.
    action: ({ email }) => `resend ${email}`,
    send: sendInvitation,
    repeatable: true,
    done: ({ isLocal, emailSent, ...failure }, { email }) => {
      if (isLocal) return { title: text.resendSaved, description: text.savedDescription(email) };
      return emailSent
        ? { title: text.resent }
        : { title: text.notSent, description: text.notSentDescription(failure), variant: 'destructive' };
    },
    failed: text.resendFailed,
    onSettled: () => void client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
};
