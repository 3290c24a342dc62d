/** The invitations whose email is not confirmed as sent: their notice, and the resend of all of them. */
import type { UnsentInvitation } from '@lanternrock/contract/invitations';
import { queryOptions, useQuery } from '@tanstack/react-query';
import Send from 'lucide-react/icons/send';
import { shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { Button } from '../../ui/button.tsx';
import { invitationsQuery } from './admins-queries.ts';
import { adminsText } from './admins-text.ts';
import type { InvitationRun } from './use-invitation-run.ts';

/** The key starts with the key of the list, so that both are invalidated together. */
const unsentQuery = queryOptions({
  queryKey: [...invitationsQuery.queryKey, 'unsent'],
  queryFn: async () => {
    const { invitations } = await callFunction('unsent-invitations', {});
    if (Array.isArray(invitations)) return invitations;
    throw shapeError();
  },
});

const none: readonly UnsentInvitation[] = [];

export const useUnsentInvitations = (): readonly UnsentInvitation[] =>
  useQuery({ ...unsentQuery, ...enabledIf(hasFeature('extensions')) }).data ?? none;

/** Returns why the email of each invitation is not confirmed as sent, by its ID. */
export const unsentNotes = (unsent: readonly UnsentInvitation[]): ReadonlyMap<string, string> =>
  new Map(
    unsent.map(({ id, status, answer }) => [
      id,
      status === 'refused' ? adminsText.run.notSent(answer) : adminsText.run.unconfirmed(answer),
    ]),
  );

interface UnsentNoticeProps {
  unsent: readonly UnsentInvitation[];
  run: InvitationRun;
}

/** Also shows the progress and the result of a run over selected invitations. */
export function UnsentNotice({ unsent, run }: UnsentNoticeProps): React.JSX.Element {
  const { progress, result } = run;
  const hasUnsent = unsent.length > 0;
  const lines =
    progress === null ? [result, hasUnsent ? adminsText.unsent.line(unsent.length) : null] : [progress];
  const shown = lines.filter((line) => line !== null);
  return (
    <div className={shown.length > 0 ? 'flex flex-wrap items-center gap-3 text-sm' : 'sr-only'}>
      {/* Always rendered, because screen readers announce changes of an existing live region only. */}
      <p role="status" className="text-muted">
        {shown.join(' ')}
      </p>
      {(hasUnsent || progress !== null) && (
        <Button
          variant="outline"
          size="sm"
          pending={run.pending}
          pendingLabel={adminsText.resending}
          onClick={() => run.start({ action: 'resend', invitations: unsent })}
        >
          <Send aria-hidden />
          {adminsText.unsent.resendAll}
        </Button>
      )}
    </div>
  );
}
