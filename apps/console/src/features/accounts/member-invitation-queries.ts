/** The invitations of members of an account, and their changes. */
import type { InvitationLinkResponse, InvitationResponse } from '@lanternrock/contract/invitations';
import type { MemberInvitation, MemberInvitationsResponse } from '@lanternrock/contract/member-invitations';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { type Submission, useSubmit } from '../../forms/use-submit.ts';
import { withReauthentication } from '../../session/with-reauthentication.ts';
import { linkText } from '../../shared/invitation-link/link-text.ts';
import { panelIntervalMs } from '../../shared/panel-interval.ts';
import type { ToastTexts } from '../../ui/toast.ts';
import { memberInvitationsText as text } from './member-invitations-text.ts';

interface InvitationList extends MemberInvitationsResponse {
  /** Number of changes in this browser, for the activity of the account. Never decreases. */
  readonly changes: number;
}

export const memberInvitationsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['account-member-invitations', accountId],
    queryFn: async ({ client, queryKey }): Promise<InvitationList> => {
      const response = await callFunction('account-member-invitations', { account_id: accountId });
      if (!Array.isArray(response.invitations)) throw shapeError();
      return { ...response, changes: client.getQueryData<InvitationList>(queryKey)?.changes ?? 0 };
    },
    refetchInterval: panelIntervalMs,
  });

/** Returns the toast for an invitation that is stored, whether or not its email was sent. */
export const sentToast = (
  { success, delivery, reason, retry_at: retryAt }: InvitationResponse,
  email: string,
): ToastTexts => {
  if (delivery === 'local') return { title: text.saved, description: text.savedDescription(email) };
  if (success) return { title: text.sent, description: text.sentDescription(email) };
  return { title: text.notSent, description: text.notSentDescription({ reason, retryAt }), persistent: true };
};

/**
 * Returns a function that reads the invitations and the activity of the account again. Call it also after an error: another
 * administrator can have changed them.
 */
export const useRefreshInvitations = (accountId: string): (() => void) => {
  const client = useQueryClient();
  return () => {
    const { queryKey } = memberInvitationsQuery(accountId);
    client.setQueryData(queryKey, (list) => list && { ...list, changes: list.changes + 1 });
    void client.invalidateQueries({ queryKey });
  };
};

const toastAction = ({ id }: MemberInvitation): string => `member-invitation ${id}`;

export const useResendMemberInvitation = (
  accountId: string,
): Submission<MemberInvitation, InvitationResponse> => {
  const onSettled = useRefreshInvitations(accountId);
  return useSubmit<MemberInvitation, InvitationResponse>({
    action: toastAction,
    send: ({ id }) => callFunction('resend-account-member-invitation', { invitation_id: id }),
    repeatable: true,
    done: (response, { email }) => {
      const toast = sentToast(response, email);
      // The toast of the invitation may still be shown.
      if (toast.title === text.sent) return { ...toast, title: text.resent };
      return toast.title === text.saved ? { ...toast, title: text.resendSaved } : toast;
    },
    failed: text.resendFailed,
    onSettled,
  });
};

/** Creates a link of the invitation. The link is discarded when the panel closes. */
export const useMemberInvitationLink = (
  accountId: string,
): Submission<MemberInvitation, InvitationLinkResponse> => {
  const onSettled = useRefreshInvitations(accountId);
  return useSubmit<MemberInvitation, InvitationLinkResponse>({
    action: toastAction,
    // Not repeatable: the service stores no link, so each request creates another one.
    send: ({ id }, signal) =>
      withReauthentication(
        () => callFunction('create-account-member-invitation-link', { invitation_id: id }, { signal }),
        signal,
      ),
    failed: linkText.failed,
    onSettled,
  });
};

export const useRevokeMemberInvitation = (accountId: string): Submission<MemberInvitation, unknown> => {
  const onSettled = useRefreshInvitations(accountId);
  return useSubmit<MemberInvitation, unknown>({
    action: toastAction,
    send: ({ id }) => callFunction('revoke-account-member-invitation', { invitation_id: id }),
    repeatable: true,
    done: (_response, { full_name }) => ({
      title: text.revoked,
      description: text.revokedDescription(full_name),
    }),
    failed: text.revokeFailed,
    onSettled,
  });
};
