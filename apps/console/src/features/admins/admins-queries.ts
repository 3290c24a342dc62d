/** What the Admins screen reads and sends. */
import type { InvitationInput } from '@lanternrock/contract/invitations';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { BackendError, fieldOf, errorMessage, unreadableMessage } from '../../api/errors.ts';
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
    throw new BackendError({ kind: 'shape', message: unreadableMessage });
  },
});

interface Sent {
  /** False only where the function says so: the invitation exists, and its email was not sent. */
  readonly emailSent: boolean;
  /** Why, as far as the function says it. */
  readonly reason: string | undefined;
}

/** Sends an invitation, for the first time or again. */
export const sendInvitation = async ({ email, full_name }: InvitationInput): Promise<Sent> => {
  const body = await invokeFunction('send-user-invitation', { email, full_name });
  const reason = fieldOf(body, 'reason') ?? fieldOf(body, 'error');
  return {
    emailSent: fieldOf(body, 'success') !== false,
    reason: typeof reason === 'string' ? reason : undefined,
  };
};

interface InviteHandlers {
  onBusyChange: (busy: boolean) => void;
  /** Also when only the e-mail failed: the invitation exists then. */
  onSent: () => void;
}

/** Sends a first invitation. Told by toasts. */
export const useInvite = ({ onBusyChange, onSent }: InviteHandlers) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendInvitation,
    onMutate: () => onBusyChange(true),
    onSuccess: (answer, { email }) => {
      toast(
        !answer.emailSent
          ? {
              action: 'invite',
              title: text.createdWithoutMail,
              description: text.createdWithoutMailDescription(answer.reason),
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

/** Resends to two people can run side by side, so each has a message of its own. */
const resendAction = (email: string): string => `resend ${email}`;

/** Sends an existing invitation again: same function, same body, from the row. */
export const useResend = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendInvitation,
    onSuccess: (answer, { email }) => {
      if (!answer.emailSent) {
        toast({
          action: resendAction(email),
          title: text.notSent,
          description: text.notSentDescription(answer.reason),
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
