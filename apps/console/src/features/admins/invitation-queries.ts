/** Queries and requests of the invitation panel. */
import type {
  AdministratorResponse,
  InvitationEmail,
  InvitationLinkResponse,
} from '@lanternrock/contract/invitations';
import type { InvitationRow } from '@lanternrock/contract/rows';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { serverTimeMs } from '../../api/server-clock.ts';
import { errorMessage, shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { formatDateTime } from '../../ui/format-time.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { withReauthentication } from '../../session/with-reauthentication.ts';
import { panelIntervalMs } from '../../shared/panel-interval.ts';
import { linkText } from '../../shared/invitation-link/link-text.ts';
import { useRefreshAdministrators } from './administrator-queries.ts';
import { invitationsQuery } from './admins-queries.ts';
import { invitationActions, type InvitationAction } from './invitation-text.ts';

/** The key starts with the key of the list, so that both are invalidated together. */
export const invitationHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: [...invitationsQuery.queryKey, id, 'history'],
    queryFn: async () => {
      const history = await callFunction('invitation-history', { invitation_id: id });
      if (Array.isArray(history.mails)) return history;
      throw shapeError();
    },
    refetchInterval: ({ state }) => refetchIntervalMs(state.data?.mails ?? []),
  });

/** The status of an email changes within seconds of its next attempt. */
const refetchIntervalMs = (mails: readonly InvitationEmail[]): number => {
  const queued = mails.filter(({ status }) => status === 'waiting');
  const isFar = ({ next_attempt_at: at }: InvitationEmail): boolean =>
    Date.parse(at ?? '') - serverTimeMs() > 10_000;
  return queued.every(isFar) ? panelIntervalMs : 2000;
};

interface AdminActionInput {
  readonly action: InvitationAction;
  readonly row: InvitationRow;
}

/**
 * Runs an action on an invited user, with reauthentication if the service requires it. A toast reports the
 * result.
 */
export const useAdminAction = () => {
  const refresh = useRefreshAdministrators();
  return useSubmit<AdminActionInput, AdministratorResponse>({
    action: ({ action, row }) => `${action} ${row.email}`,
    send: ({ action, row }, signal) =>
      withReauthentication(
        () => callFunction(invitationActions[action].functionName, { email: row.email }, { signal }),
        signal,
      ),
    repeatable: true,
    done: ({ role_ended_at: endedAt }, { action, row }) => {
      const { successTitle, successDescription, endedDescription } = invitationActions[action];
      const ended = endedAt && endedDescription?.(row.full_name, formatDateTime(endedAt));
      return { title: successTitle, description: ended || successDescription(row.full_name) };
    },
    failed: (error, { action }) => ({
      title: invitationActions[action].errorTitle,
      description: errorMessage(error),
    }),
    // Also after an error, because another administrator may have changed the invitation.
    onSettled: refresh,
  });
};

/** Creates a link of the invitation. The link is discarded when the panel closes. */
export const useInvitationLink = () => {
  const client = useQueryClient();
  return useSubmit<string, InvitationLinkResponse>({
    action: 'create-invitation-link',
    // Not repeatable: the service stores no link, so each request creates another one.
    send: (email, signal) =>
      withReauthentication(() => callFunction('create-invitation-link', { email }, { signal }), signal),
    failed: linkText.failed,
    onSettled: () => client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
};
