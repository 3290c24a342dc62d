/** Where the person is signed in, and ending it there. */
import { useQuery } from '@tanstack/react-query';
import { LogOut, Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { auth } from '../../backend-auth.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { callAuth, settled } from './auth-calls.ts';
import { deviceName, isHandheld } from './device-name.ts';
import { Ago, Item, ItemList } from './item-list.tsx';
import { Question } from './question.tsx';
import { Loaded, Section, SectionNote } from './section.tsx';
import { type SessionLine, sessionsQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { useAct } from './use-act.ts';

const text = securityText.sessions;
const headingId = 'security-sessions';

const addressOf = (session: SessionLine): string => session.ip ?? text.unknownAddress;

export function SessionsSection(): React.JSX.Element {
  const query = useQuery(sessionsQuery);
  const others = query.data?.filter((session) => !session.current) ?? [];
  const [ending, setEnding] = useState<SessionLine>();
  const [endingOthers, setEndingOthers] = useState<number>();
  const end = useAct<SessionLine>({
    run: async ({ id }) => void (await callAuth(`/user/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })),
    failed: text.endFailed,
    done: (session) => ({ title: text.ended, description: text.endedDescription(deviceName(session.user_agent)) }),
  });
  const endOthers = useAct<number>({
    run: async () => void (await settled(auth.signOut({ scope: 'others' }).then(({ error }) => ({ data: null, error })))),
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
        {(sessions) => (
          <>
            <ItemList label={text.title}>
              {sessions.map((session) => (
                <SessionItem key={session.id} session={session} onEnd={() => setEnding(session)} />
              ))}
            </ItemList>
            {others.length === 0 && <SectionNote>{text.alone}</SectionNote>}
          </>
        )}
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
          <Button variant="ghost" size="sm" aria-label={text.endLabel(device, addressOf(session))} onClick={onEnd}>
            {text.end}
          </Button>
        )
      }
    />
  );
}
