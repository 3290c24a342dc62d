/**
 * The history of an invitation: its emails with the responses of the mail server, the opened link, the
 * password.
 */
import type { InvitationEmail, InvitationHistory as History } from '@lanternrock/contract/invitations';
import type { UseQueryResult } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Clock from 'lucide-react/icons/clock';
import Inbox from 'lucide-react/icons/inbox';
import type { ReactNode } from 'react';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatDateTime } from '../../ui/format-time.ts';
import { QuotedText } from '../../ui/quoted-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { invitationText, termsText } from './invitation-text.ts';

const text = invitationText.history;

export function InvitationHistory({ query }: { query: UseQueryResult<History> }): React.JSX.Element {
  const { data } = query;
  return (
    <section aria-labelledby="invitation-history" className="grid gap-3 border-t border-border pt-4">
      <h3 id="invitation-history" className="text-sm font-semibold">
        {text.title}
      </h3>
      {data !== undefined && <EventList history={data} />}
      {data === undefined && query.isError && (
        <ErrorState title={text.failed} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
      {data === undefined && !query.isError && <Skeleton className="h-12 w-full" />}
    </section>
  );
}

function EventList({ history }: { history: History }): React.JSX.Element {
  const { mails, opened_at: opened, opened_by_program_at: scanned, accepted_at: accepted } = history;
  if (mails.length === 0 && opened === null && scanned === null && accepted === null) {
    return <p className="text-sm text-muted">{text.none}</p>;
  }
  return (
    <ol className="grid gap-3">
      {accepted !== null && <Event icon="done" title={text.accepted} time={accepted} />}
      {opened !== null && <Event icon="done" title={text.opened} time={opened} />}
      {scanned !== null && <Event icon="pending" title={text.openedByProgram} time={scanned} />}
      {mails.map((mail) => (
        <EmailEvent key={mail.id} email={mail} />
      ))}
    </ol>
  );
}

function EmailEvent({ email }: { email: InvitationEmail }): React.JSX.Element {
  const statusIcons = {
    waiting: 'pending',
    handed_over: 'done',
    captured: 'captured',
    refused: 'failed',
    timed_out: 'failed',
  } as const;
  const isRetried = email.status === 'waiting' && email.answer !== null;
  const status = text.emailStatus[email.status] ?? email.status;
  const waiting = isRetried ? text.notAcceptedYet : status;
  return (
    <Event
      icon={statusIcons[email.status] ?? 'pending'}
      title={email.status === 'waiting' && email.next_attempt_at === null ? text.sending : waiting}
      time={email.finished_at ?? email.created_at}
    >
      {isRetried && email.next_attempt_at && (
        <p className="text-xs">{text.nextTry(formatDateTime(email.next_attempt_at))}</p>
      )}
      {email.inviter && (
        <p className="text-xs text-muted wrap-anywhere">
          <QuotedText>{termsText.requestedBy(email.inviter)}</QuotedText>
        </p>
      )}
      {email.answer !== null && email.answer !== '' && (
        <p translate="no" className="text-xs text-muted wrap-anywhere">
          {email.answer}
        </p>
      )}
    </Event>
  );
}

const icons = {
  done: { Icon: CircleCheck, color: 'text-success' },
  failed: { Icon: CircleAlert, color: 'text-destructive' },
  captured: { Icon: Inbox, color: 'text-muted' },
  pending: { Icon: Clock, color: 'text-muted' },
} as const;

interface EventProps {
  icon: keyof typeof icons;
  title: string;
  /** RFC 3339. */
  time: string;
  children?: ReactNode;
}

function Event({ icon, title, time, children }: EventProps): React.JSX.Element {
  const { Icon, color } = icons[icon];
  return (
    <li className="flex gap-2.5 text-sm">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <div className="grid min-w-0 gap-0.5">
        <p className="font-medium">{title}</p>
        <TimeWithTooltip value={time} relative="past" className="justify-self-start text-xs" />
        {children}
      </div>
    </li>
  );
}
