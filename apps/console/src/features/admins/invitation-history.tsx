/**
 * The history of an invitation: its emails with the responses of the mail server, created and opened links, the password, and
 * what administrators did.
 */
import type { InvitationEmail, InvitationHistory as History } from '@lanternrock/contract/invitations';
import type { UseQueryResult } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Clock from 'lucide-react/icons/clock';
import Inbox from 'lucide-react/icons/inbox';
import User from 'lucide-react/icons/user';
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
  const items = listEvents(history);
  if (items.length === 0) return <p className="text-sm text-muted">{text.none}</p>;
  return <ol className="grid gap-3">{items.map(({ item }) => item)}</ol>;
}

interface TimedItem {
  /** RFC 3339. */
  readonly at: string;
  readonly item: React.JSX.Element;
}

/** Returns the events, newest first. */
const listEvents = (history: History): readonly TimedItem[] => {
  const { mails, events = [] } = history;
  const single = (
    key: string,
    at: string | null,
    icon: EventProps['icon'],
    title: string,
  ): readonly TimedItem[] =>
    at === null ? [] : [{ at, item: <Event key={key} icon={icon} title={title} time={at} /> }];
  return [
    ...single('accepted', history.accepted_at, 'done', text.accepted),
    ...single('opened', history.opened_at, 'done', text.opened),
    ...single('scanned', history.opened_by_program_at, 'pending', text.openedByProgram),
    ...events.map((each) => ({
      at: each.at,
      item: (
        <Event key={`${each.event} ${each.at}`} icon="action" title={text.events[each.event]} time={each.at}>
          {each.actor !== null && <Actor>{text.by(each.actor)}</Actor>}
        </Event>
      ),
    })),
    ...mails.map((mail) => ({
      at: mail.finished_at ?? mail.created_at,
      item: <EmailEvent key={mail.id} email={mail} />,
    })),
  ].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
};

/** A sentence with a quoted name. */
const Actor = ({ children }: { children: string }): React.JSX.Element => (
  <p className="text-xs text-muted wrap-anywhere">
    <QuotedText>{children}</QuotedText>
  </p>
);

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
      {email.inviter && <Actor>{termsText.requestedBy(email.inviter)}</Actor>}
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
  action: { Icon: User, color: 'text-muted' },
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
