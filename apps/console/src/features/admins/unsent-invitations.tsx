/** The invitations whose email is not confirmed as sent: their notice, and the resend of all of them. */
import type { UnsentInvitation } from '@lanternrock/contract/invitations';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import Send from 'lucide-react/icons/send';
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorMessage, isUnanswered, shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { invitationsQuery, sendInvitation } from './admins-queries.ts';
import { adminsText } from './admins-text.ts';

const text = adminsText.unsent;

/** The key starts with the key of the list, so that both are invalidated together. */
const unsentQuery = queryOptions({
  queryKey: [...invitationsQuery.queryKey, 'unsent'],
  queryFn: async () => {
    const { invitations } = await callFunction('unsent-invitations', {});
    if (Array.isArray(invitations)) return invitations;
    throw shapeError();
  },
});

interface Resending {
  readonly unsent: readonly UnsentInvitation[];
  /** The status of each invitation, by its ID. */
  readonly notes: ReadonlyMap<string, string>;
  /** Position of the invitation that is being sent, and their total number; null if none is being sent. */
  readonly progress: { readonly current: number; readonly total: number } | null;
  /** True until the list was read again after a run: a press would send nothing. */
  readonly pending: boolean;
  /** The outcome of the last run; null before the first. */
  readonly result: string | null;
  readonly resendAll: () => void;
}

/**
 * Resends the invitations one at a time, because the service has an email quota and its mail server may be
 * slow.
 */
export function useResending(): Resending {
  const client = useQueryClient();
  const { data: unsent = [] } = useQuery({
    ...unsentQuery,
    ...enabledIf(hasFeature('extensions')),
  });
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const [progress, setProgress] = useState<Resending['progress']>(null);
  const [result, setResult] = useState<string | null>(null);
  const unmounted = useRef(false);
  useEffect(() => {
    unmounted.current = false;
    return () => {
      unmounted.current = true;
    };
  }, []);

  const send = async (): Promise<void> => {
    const total = unsent.length;
    let sent = 0;
    let stopReason: string | null = null;
    setResult(null);
    for (const [index, invitation] of unsent.entries()) {
      if (unmounted.current || stopReason !== null) break;
      const note = (status: string): void =>
        setResults((previous) => new Map(previous).set(invitation.id, status));
      setProgress({ current: index + 1, total });
      note(text.sending);
      try {
        const { outcome, reason, retryAt } = await sendInvitation({
          email: invitation.email,
          full_name: invitation.full_name,
        });
        if (outcome === 'sent') sent += 1;
        const { sent: done, saved, sendingElsewhere: sending } = text;
        const failed = retryAt === undefined ? text.notSent(reason) : text.queued(reason);
        note({ sent: done, saved, sending, failed }[outcome]);
      } catch (error) {
        note(isUnanswered(error) ? text.unconfirmed(errorMessage(error)) : text.notSent(errorMessage(error)));
        // An error of the quota, the network or the session also applies to the next invitation.
        if (!isInvitationError(error)) stopReason = errorMessage(error);
      }
    }
    setProgress(null);
    setResult(text.result(sent, total, stopReason));
  };
  const { submit, pending } = useSubmit({
    action: 'resend-all',
    send,
    onSettled: () => client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
  });
  const notes = new Map(
    unsent.map(({ id, status, answer }) => [
      id,
      status === 'refused' ? text.notSent(answer) : text.unconfirmed(answer),
    ]),
  );
  for (const [id, status] of results) notes.set(id, status);
  return { unsent, notes, progress, pending, result, resendAll: () => void submit() };
}

/** Returns true if the error applies to one invitation: an invalid name, a conflict or its cooldown. */
const isInvitationError = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 400 || error.status === 409 || error.code === 'resend_cooldown');

export function UnsentNotice({ unsent, progress, pending, result, resendAll }: Resending): React.JSX.Element {
  const line = progress === null ? text.line(unsent.length) : text.progress(progress.current, progress.total);
  const isShown = unsent.length > 0 || progress !== null;
  return (
    <div className={isShown || result !== null ? 'flex flex-wrap items-center gap-3 text-sm' : 'sr-only'}>
      {/* Always rendered, because screen readers announce changes of an existing live region only. */}
      <p role="status" className="text-muted">
        {[...(progress === null && result !== null ? [result] : []), ...(isShown ? [line] : [])].join(' ')}
      </p>
      {isShown && (
        <Button
          variant="outline"
          size="sm"
          pending={pending}
          pendingLabel={adminsText.resending}
          onClick={resendAll}
        >
          <Send aria-hidden />
          {text.resendAll}
        </Button>
      )}
    </div>
  );
}
