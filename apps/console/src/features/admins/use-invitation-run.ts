/** Resends or revokes several invitations, one at a time: the service has an email quota, and mail servers may be slow. */
import type { InvitationInput } from '@lanternrock/contract/invitations';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorMessage, isUnanswered } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { withReauthentication } from '../../session/with-reauthentication.ts';
import { invitationsQuery, sendInvitation } from './admins-queries.ts';
import { adminsText } from './admins-text.ts';

const text = adminsText.run;

type RunAction = 'resend' | 'revoke';

interface RunInvitation extends InvitationInput {
  readonly id: string;
}

interface RunInput {
  readonly action: RunAction;
  readonly invitations: readonly RunInvitation[];
}

export interface InvitationRun {
  /** The outcome for each invitation of the runs so far, by its ID. */
  readonly notes: ReadonlyMap<string, string>;
  /** For example `Sending 2 of 5...`; null if nothing is running. */
  readonly progress: string | null;
  /** True until the list was read again after a run: a press would start with outdated rows. */
  readonly pending: boolean;
  /** The outcome of the last run; null before the first. */
  readonly result: string | null;
  readonly start: (input: RunInput) => void;
}

interface Outcome {
  readonly note: string;
  /** `saved`: in the local mailbox, and not sent. */
  readonly result: 'done' | 'saved' | 'failed';
}

interface RunRequest {
  /** The same for all invitations of a run. */
  readonly listId: string;
  readonly signal: AbortSignal;
}

const resend = async ({ email, full_name }: RunInvitation, { listId }: RunRequest): Promise<Outcome> => {
  const { outcome, reason, retryAt } = await sendInvitation({ email, full_name, list_id: listId });
  const failed = retryAt === undefined ? text.notSent(reason) : text.queued(reason);
  const note = { sent: text.sent, saved: text.saved, sending: text.sendingElsewhere, failed }[outcome];
  return { note, result: outcome === 'sent' ? 'done' : outcome === 'saved' ? 'saved' : 'failed' };
};

const revoke = async ({ email }: RunInvitation, { listId, signal }: RunRequest): Promise<Outcome> => {
  const body = { email, list_id: listId };
  await withReauthentication(() => callFunction('revoke-user-invitation', body, { signal }), signal);
  return { note: text.revoked, result: 'done' };
};

const noteOfError = (action: RunAction, error: unknown): string => {
  const message = errorMessage(error);
  if (action === 'revoke') return text.notRevoked(message);
  return isUnanswered(error) ? text.unconfirmed(message) : text.notSent(message);
};

/** Returns true if the error applies to one invitation: an invalid name, a conflict or its cooldown. */
const isInvitationError = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 400 || error.status === 409 || error.code === 'resend_cooldown');

/** @param onDone called with the ID of each invitation whose action succeeded */
export function useInvitationRun(onDone: (id: string) => void): InvitationRun {
  const client = useQueryClient();
  const [notes, setNotes] = useState<ReadonlyMap<string, string>>(new Map());
  const [progress, setProgress] = useState<string | null>(null);
  const [result, setResult] = useState<string | null>(null);
  const unmounted = useRef(false);
  useEffect(() => {
    unmounted.current = false;
    return () => {
      unmounted.current = true;
    };
  }, []);

  const send = async ({ action, invitations }: RunInput, signal: AbortSignal): Promise<void> => {
    const total = invitations.length;
    const counts = { done: 0, saved: 0, failed: 0 };
    let stopReason: string | null = null;
    const request = { listId: crypto.randomUUID(), signal };
    setResult(null);
    for (const [index, invitation] of invitations.entries()) {
      if (unmounted.current || stopReason !== null) break;
      const setNote = (note: string): void =>
        setNotes((previous) => new Map(previous).set(invitation.id, note));
      setProgress(text.progress[action](index + 1, total));
      setNote(text.running[action]);
      try {
        const { note, result: reached } = await (action === 'resend' ? resend : revoke)(invitation, request);
        counts[reached] += 1;
        setNote(note);
        if (reached !== 'failed') onDone(invitation.id);
      } catch (error) {
        setNote(noteOfError(action, error));
        // An error of the quota, the network or the session also applies to the next invitation.
        if (!isInvitationError(error)) stopReason = errorMessage(error);
      }
    }
    setProgress(null);
    setResult(text.result[action](counts, total, stopReason));
  };
  const { submit, pending } = useSubmit<RunInput>({
    action: 'invitation-run',
    send,
    onSettled: () => client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
  return { notes, progress, pending, result, start: (input) => void submit(input) };
}
