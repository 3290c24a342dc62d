/** Which invitations were not sent, and sending all of them again. */
import type { UnsentInvitation, UnsentInvitations } from '@lanternrock/contract/invitations';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { BackendError, errorMessage, unreadableMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { useSingleFlight } from '../../forms/use-single-flight.ts';
import { invitationsQuery, sendInvitation } from './admins-queries.ts';
import { adminsText } from './admins-text.ts';

const text = adminsText.unsent;

/** Below the key of the list, so that both are invalidated together. */
const unsentQuery = queryOptions({
  queryKey: [...invitationsQuery.queryKey, 'unsent'],
  queryFn: async () => {
    const { invitations } = await callFunction<UnsentInvitations>('unsent-invitations', {});
    if (Array.isArray(invitations)) return invitations;
    throw new BackendError({ kind: 'shape', message: unreadableMessage });
  },
});

export interface Resending {
  readonly unsent: readonly UnsentInvitation[];
  /** What happened to each invitation, by its ID. */
  readonly notes: ReadonlyMap<string, string>;
  /** Number of the invitation that is being sent, and of all; null when none is. */
  readonly progress: { readonly current: number; readonly total: number } | null;
  /** The outcome of the last run; null before the first. */
  readonly result: string | null;
  readonly resendAll: () => void;
}

/** Sends one invitation after the other: the service limits emails per hour, and its mail server may be slow. */
export function useResending(): Resending {
  const client = useQueryClient();
  const { data: unsent = [] } = useQuery({
    ...unsentQuery,
    ...(hasFeature('unsent-invitations') ? {} : { enabled: false }),
  });
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const [progress, setProgress] = useState<Resending['progress']>(null);
  const [result, setResult] = useState<string | null>(null);
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  const once = useSingleFlight();

  const run = async (): Promise<void> => {
    const total = unsent.length;
    let sent = 0;
    let stopped: string | null = null;
    setResult(null);
    for (const [index, invitation] of unsent.entries()) {
      if (left.current || stopped !== null) break;
      const note = (words: string): void => setResults((before) => new Map(before).set(invitation.id, words));
      setProgress({ current: index + 1, total });
      note(text.sending);
      try {
        const { emailSent, reason } = await sendInvitation(invitation);
        if (emailSent) sent += 1;
        note(emailSent ? text.sent : text.notSent(reason));
      } catch (error) {
        note(text.notSent(errorMessage(error)));
        // The quota, the network or the session: it would stop the next one as well.
        if (!isAboutOne(error)) stopped = errorMessage(error);
      }
    }
    setProgress(null);
    setResult(text.result(sent, total, stopped));
    await client.invalidateQueries({ queryKey: invitationsQuery.queryKey });
  };
  const notes = new Map(unsent.map(({ id, answer }) => [id, text.notSent(answer)]));
  for (const [id, words] of results) notes.set(id, words);
  return { unsent, notes, progress, result, resendAll: () => void once(run) };
}

/** Returns true for a rejection of this invitation: an invalid name, a conflict, its own cooldown. */
const isAboutOne = (error: unknown): boolean =>
  error instanceof BackendError &&
  (error.status === 400 || error.status === 409 || error.code === 'resend_cooldown');
