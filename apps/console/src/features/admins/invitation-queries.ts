/** What the side panel of an invitation reads and does. */
import type {
  AdministratorResponse,
  InvitationHistory,
  InvitationLinkResponse,
} from '@lanternrock/contract/invitations';
import type { InvitationRow } from '@lanternrock/contract/rows';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { BackendError, errorMessage, unreadableMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { toast } from '../../ui/toast.ts';
import { withReauthentication } from '../../session/fresh-session.ts';
import { invitationsQuery } from './admins-queries.ts';
import { adminActions, invitationText, type AdminAction } from './invitation-text.ts';

/** Below the list's key, so that whatever renews the list renews the open panel. */
export const invitationHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: [...invitationsQuery.queryKey, id, 'history'],
    queryFn: async () => {
      const history = await callFunction<InvitationHistory>('invitation-history', { invitation_id: id });
      if (Array.isArray(history.mails)) return history;
      throw new BackendError({ kind: 'shape', message: unreadableMessage });
    },
    // A mail on its way gets its outcome within seconds.
    refetchInterval: ({ state }) =>
      state.data?.mails.some((mail) => mail.status === 'waiting') === true ? 2000 : false,
  });

/** Runs an action on an invited user, with a proof where the service asks for one. A toast shows the result. */
export const useAdminAction = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, row }: { act: AdminAction; row: InvitationRow }) =>
      withReauthentication(() =>
        callFunction<AdministratorResponse>(adminActions[act].call, { email: row.email }),
      ),
    onSuccess: (_answer, { act, row }) =>
      toast({
        action: `${act} ${row.email}`,
        title: adminActions[act].done,
        description: adminActions[act].doneDescription(row.full_name),
      }),
    onError: (error, { act, row }) =>
      toast({
        action: `${act} ${row.email}`,
        title: adminActions[act].failed,
        description: errorMessage(error),
        variant: 'destructive',
      }),
    // Also after an error: another administrator may have changed what is shown.
    onSettled: () => client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
};

/** Asks for a link of the invitation. Its text stays in this panel and nowhere else. */
export const useInvitationLink = () => {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (email: string) => callFunction<InvitationLinkResponse>('create-invitation-link', { email }),
    onError: (error) =>
      toast({
        action: 'create-invitation-link',
        title: invitationText.link.failed,
        description: errorMessage(error),
        variant: 'destructive',
      }),
    onSettled: () => client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
};
