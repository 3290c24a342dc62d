/** Sends the invitation of one row of a list, for the command line and the console. */
import type { ClientInfo } from '@lanternrock/auth';
import type { CheckedInvitee, NotInvitableStatus } from '@lanternrock/contract/invitation-list';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import { DomainError } from '../errors.ts';
import { succeeded } from '../mail/email-job.ts';
import type { ListAction } from '../audit-run.ts';
import type { Authorize } from '../administrators/email-action.ts';
import type { Invitations } from './invitations.ts';
import { NotInvitableError, requireInvitable } from './invitee-status.ts';

export type RowOutcome =
  | { readonly kind: 'sent' }
  /** Invited, but the email was saved in the local mailbox and was not sent. */
  | { readonly kind: 'captured' }
  /** Invited, and the service sends the email later, or sends it now for another request. */
  | { readonly kind: 'queued'; readonly reason: string }
  /** Invited, but the email was rejected. */
  | { readonly kind: 'not_accepted'; readonly reason: string }
  /** Nothing was sent, because of a concurrent change. */
  | { readonly kind: 'status'; readonly status: NotInvitableStatus }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'quota'; readonly message: string; readonly retryAfterSeconds: number };

interface RowRequest {
  readonly row: Pick<CheckedInvitee, 'email' | 'fullName' | 'note' | 'expiry'>;
  /** Also sends to an invitation that is pending. */
  readonly includePending: boolean;
  /** Leaves the email to the worker, without a first attempt. */
  readonly queueOnly: boolean;
  readonly invitedBy: string | null;
  readonly fromCommandLine?: boolean;
  readonly client?: ClientInfo;
  readonly authorize: Authorize;
  /** The action on the list. */
  readonly list?: ListAction | undefined;
  readonly hasMailServer: boolean;
  readonly clock: DatabaseClock;
}

export async function inviteRow(invitations: Invitations, request: RowRequest): Promise<RowOutcome> {
  const { row, includePending, hasMailServer, clock, ...inviter } = request;
  const { email, fullName, note, expiry } = row;
  try {
    const { delivery } = await invitations.invite({
      ...inviter,
      email,
      fullName,
      terms: { note, expiry },
      precondition: async (tx) =>
        requireInvitable(tx, { email, includePending, hasMailServer, now: await clock.read(tx) }),
      startedAt: performance.now(),
    });
    const { outcome, answer, retryAt } = delivery;
    if (outcome === 'captured') return { kind: 'captured' };
    if (succeeded(outcome)) return { kind: 'sent' };
    if (retryAt) return { kind: 'queued', reason: answer ?? '' };
    if (outcome === 'waiting') return { kind: 'queued', reason: 'Another request is sending this email.' };
    return { kind: 'not_accepted', reason: answer ?? 'the mail server did not respond' };
  } catch (error) {
    if (error instanceof NotInvitableError) return { kind: 'status', status: error.status };
    if (!(error instanceof DomainError)) throw error;
    const { code, message, retryAfterSeconds = 0 } = error;
    if (code === 'resend_cooldown') return { kind: 'status', status: 'pending' };
    if (code === 'already_administrator') return { kind: 'status', status: 'administrator' };
    if (code === 'invalid_expiry') return { kind: 'invalid', reason: message };
    if (code === 'over_email_send_rate_limit') return { kind: 'quota', message, retryAfterSeconds };
    throw error;
  }
}
