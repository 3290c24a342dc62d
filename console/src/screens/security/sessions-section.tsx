/** Where the person is signed in, and ending it there. */
import { useQuery } from '@tanstack/react-query';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState } from 'react';
import { auth, callAuth } from '../../backend-auth.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { settled } from './auth-calls.ts';
import { deviceName, isHandheld } from './device-name.ts';
import { Ago, Item, ItemList } from './item-list.tsx';
import { Question } from './question.tsx';
import { Loaded, Section, SectionNote } from './section.tsx';
import { type SessionLine, sessionsQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { useAct } from './use-act.ts';

const text = securityText.sessions;
const headingId = 'security-sessions';
/** More are a press away: the newest ones are those that matter. */
const shownFirst = 6;

const addressOf = (session: SessionLine): string => session.ip ?? text.unknownAddress;

export function SessionsSection(): React.JSX.Element {
  const query = useQuery(sessionsQuery);
  const others = query.data?.filter((session) => !session.current) ?? [];
  const [ending, setEnding] = useState<SessionLine>();
  const [endingOthers, setEndingOthers] = useState<number>();
  const end = useAct<SessionLine>({
    run: async ({ id }) =>
      void (await callAuth(`/user/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })),
    failed: text.endFailed,
    done: (session) => ({
      title: text.ended,
      description: text.endedDescription(deviceName(session.user_agent)),
    }),
  });
  const endOthers = useAct<number>({
    run: async () =>
      void (await settled(auth.signOut({ scope: 'others' }).then(({ error }) => ({ data: null, error })))),
    failed: text.endFailed,
    done: () => ({ title: text.othersDone, description: text.othersDoneDescription }),
  });
  return (
    <Section
      id={headingId}
      title={text.title}
      description={text.description}
      action={
        others.length > 0 && (
          <Button variant="outline" size="sm" onClick={() => setEndingOthers(others.length)}>
            <LogOut aria-hidden />
            {text.others}
          </Button>
        )
      }
    >
      <Loaded query={query} failed={text.loadFailed} rows={2}>
        {(sessions) => <SessionList sessions={sessions} onEnd={setEnding} />}
      </Loaded>
      <Question
        subject={ending}
        onClose={() => setEnding(undefined)}
        title={(session) => text.endTitle(deviceName(session.user_agent))}
        description={(session) => text.endDescription(addressOf(session))}
        confirmLabel={text.endConfirm}
        pendingLabel={text.ending}
        act={end}
        headingId={headingId}
      />
      <Question
        subject={endingOthers}
        onClose={() => setEndingOthers(undefined)}
        title={() => text.othersTitle}
        description={text.othersDescription}
        confirmLabel={text.othersConfirm}
        pendingLabel={text.ending}
        act={endOthers}
        headingId={headingId}
      />
    </Section>
  );
}

interface SessionListProps {
  sessions: readonly SessionLine[];
  onEnd: (session: SessionLine) => void;
}

function SessionList({ sessions, onEnd }: SessionListProps): React.JSX.Element {
  const [all, setAll] = useState(false);
  // One hidden row would cost as much room as it saves.
  const shown = all || sessions.length <= shownFirst + 1 ? sessions : sessions.slice(0, shownFirst);
  return (
    <>
      <ItemList label={text.title}>
        {shown.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => onEnd(session)} />
        ))}
      </ItemList>
      {shown.length < sessions.length && (
        <div className="border-t border-border px-3 py-2">
          <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
            {text.showAll(sessions.length)}
          </Button>
        </div>
      )}
      {sessions.length === 1 && <SectionNote>{text.alone}</SectionNote>}
    </>
  );
}

function SessionItem({ session, onEnd }: { session: SessionLine; onEnd: () => void }): React.JSX.Element {
  const device = deviceName(session.user_agent);
  // As of when the row was drawn: the words may be a moment old, but must not change while they are read.
  const [now] = useState(() => new Date());
  return (
    <Item
      icon={isHandheld(session.user_agent) ? <Smartphone /> : <Monitor />}
      name={<span title={session.user_agent ?? undefined}>{device}</span>}
      badge={session.current && <Badge variant="secondary">{text.current}</Badge>}
      details={
        <>
          {addressOf(session)} · {text.signedIn} <Time value={session.created_at} /> · {text.lastUsed}{' '}
          <Ago value={session.refreshed_at ?? session.created_at} now={now} />
        </>
      }
      actions={
        !session.current && (
          <Button
            variant="outline"
            size="sm"
            aria-label={text.endLabel(device, addressOf(session))}
            onClick={onEnd}
          >
            {text.end}
          </Button>
        )
      }
    />
  );
}
