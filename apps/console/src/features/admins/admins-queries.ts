/** Queries and mutations of the Admins screen. */
import type { InvitationInput } from '@lanternrock/contract/invitations';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, fieldOf, errorMessage, unreadableMessage } from '../../api/errors.ts';
import { invokeFunction } from '../../api/functions.ts';
import { backend } from '../../api/rest-client.ts';
import { unwrapRows } from '../../api/data.ts';
import { toast } from '../../ui/toast.ts';
import { adminsText } from './admins-text.ts';

const text = adminsText.toast;

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => {
    const rows = await unwrapRows(
      backend
        .from('user_invitations')
        .select('*')
        .order('invited_at', { ascending: false })
        .abortSignal(signal),
    );
    if (rows.every((row) => typeof row?.id === 'string' && typeof row.email === 'string')) return rows;
    throw new ApiError({ kind: 'shape', message: unreadableMessage });
  },
});

interface SendResult {
  /** False if the function reports that the invitation exists, but its email was not sent. */
  readonly emailSent: boolean;
  /** The reason in the response, if any. */
  readonly reason: string | undefined;
}

/** Sends a new invitation, or resends an existing one. */
export const sendInvitation = async ({ email, full_name }: InvitationInput): Promise<SendResult> => {
  const body = await invokeFunction('send-user-invitation', { email, full_name });
  const reason = fieldOf(body, 'reason') ?? fieldOf(body, 'error');
  return {
    emailSent: fieldOf(body, 'success') !== false,
    reason: typeof reason === 'string' ? reason : undefined,
  };
};

interface InviteHandlers {
  onBusyChange: (busy: boolean) => void;
  /** Also called if only the email failed, because the invitation exists. */
  onSent: () => void;
}

/** Sends a new invitation. Toasts report the result. */
export const useInvite = ({ onBusyChange, onSent }: InviteHandlers) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendInvitation,
    onMutate: () => onBusyChange(true),
    onSuccess: (result, { email }) => {
      toast(
        !result.emailSent
          ? {
              action: 'invite',
              title: text.createdWithoutEmail,
              description: text.createdWithoutEmailDescription(result.reason),
              persistent: true,
            }
          : { action: 'invite', title: text.invited, description: text.invitedDescription(email) },
      );
      onSent();
    },
    onError: (error) =>
      toast({
        action: 'invite',
        title: text.inviteFailed,
        description: errorMessage(error),
        variant: 'destructive',
      }),
    onSettled: () => {
      onBusyChange(false);
      void client.invalidateQueries({ queryKey: invitationsQuery.queryKey });
    },
  });
};

/** A separate toast per email address, because several resends can run concurrently. */
const resendAction = (email: string): string => `resend ${email}`;

/** Resends an invitation. Toasts report the result. */
export const useResend = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendInvitation,
    onSuccess: (result, { email }) => {
      if (!result.emailSent) {
        toast({
          action: resendAction(email),
          title: text.notSent,
          description: text.notSentDescription(result.reason),
          variant: 'destructive',
        });
      } else toast({ action: resendAction(email), title: text.resent });
    },
    onError: (error, { email }) =>
      toast({
        action: resendAction(email),
        title: text.resendFailed,
        description: errorMessage(error),
        variant: 'destructive',
      }),
    onSettled: () => void client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
};
