/** Queries and requests of the Admins screen. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import type { InvitationInput } from '@lanternrock/contract/invitations';
import type { InvitationRow } from '@lanternrock/contract/rows';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, shapeError } from '../../api/errors.ts';
import { findField } from '../../api/json.ts';
import { callFunction } from '../../api/functions.ts';
import { data } from '../../api/data.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { adminsText } from './admins-text.ts';

const text = adminsText.toast;

/** The default of MAX_ROWS. A service with a lower limit returns shorter pages. */
const pageSize = 1000;

/** All pages, newest first. A backend that does not count the rows has one. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }): Promise<InvitationRow[]> => {
    // By ID, because a new invitation moves the others to the next page.
    const byId = new Map<string, InvitationRow>();
    for (;;) {
      const from = byId.size;
      const call = data.from('user_invitations').select('*', { count: 'exact' });
      const list = call.order('invited_at', { ascending: false });
      const page = from === 0 ? list : list.range(from, from + pageSize - 1);
      const { data: rows, count } = await page.abortSignal(signal).throwOnError();
      if (!rows.every((row) => typeof row?.id === 'string' && typeof row.email === 'string'))
        throw shapeError();
      for (const row of rows) byId.set(row.id, row);
      if (byId.size === from || byId.size >= (count ?? 0)) return [...byId.values()];
    }
  },
});

interface SendResult {
  /**
   * - `saved`: the service has no mail server, saved the email and did not send it
   * - `sending`: another request is still sending the email
   * - `failed`: the function reports that the invitation exists, but its email was not sent
   */
  readonly outcome: 'sent' | 'saved' | 'sending' | 'failed';
  /** The reason in the response, if any. */
  readonly reason: string | undefined;
  /** Time at which the service tries again, RFC 3339; undefined if it does not. */
  readonly retryAt: string | undefined;
}

/** The message of the published client for a request that was not sent. */
const notSentMessage = 'Failed to send a request to the Edge Function';

const toOutcome = (body: unknown): SendResult['outcome'] => {
  const delivery = findField(body, 'delivery');
  if (delivery === 'local') return 'saved';
  if (delivery === 'sending') return 'sending';
  return findField(body, 'success') === false ? 'failed' : 'sent';
};

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
    outcome: toOutcome(body),
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
    done: ({ outcome, ...failure }, { email }) =>
      ({
        sent: { title: text.resent },
        saved: { title: text.resendSaved, description: text.savedDescription(email) },
        sending: { title: text.sending, description: text.sendingDescription },
        failed: {
          title: text.notSent,
          description: text.notSentDescription(failure),
          variant: 'destructive' as const,
        },
      })[outcome],
    failed: text.resendFailed,
    onSettled: () => void client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
};
