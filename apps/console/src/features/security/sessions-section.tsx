/** Lists and revokes the sessions of the current user. */
import { useQuery } from '@tanstack/react-query';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState } from 'react';
import { auth, requestAuth, unwrapAuth } from '../../api/auth.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { deviceName, isMobileDevice } from './device-name.ts';
import { RelativeTime, SettingsListItem, SettingsList } from './settings-list.tsx';
import { ConfirmSubmitDialog } from './confirm-submit-dialog.tsx';
import { QueryContent, SettingsSection, SettingsSectionNote } from './settings-section.tsx';
import { type SessionSummary, sessionsQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useSecurityChange } from './use-security-change.ts';

const text = securityText.sessions;
const headingId = 'security-sessions';
/** Number of sessions shown before *Show all*. */
const initialSessionCount = 6;

const ipAddress = (session: SessionSummary): string => session.ip ?? text.unknownIpAddress;

export function SessionsSection(): React.JSX.Element {
  const query = useQuery(sessionsQuery);
  const others = query.data?.filter((session) => !session.current) ?? [];
  const [ending, setEnding] = useState<SessionSummary>();
  const [endingOthers, setEndingOthers] = useState<number>();
  const end = useSubmit(
    useSecurityChange<SessionSummary>({
      action: 'end-session',
      send: async ({ id }) =>
        void (await requestAuth(`/user/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })),
      done: (_, session) => ({
        title: text.ended,
        description: text.endedDescription(deviceName(session.user_agent)),
      }),
      failed: text.endFailed,
    }),
  );
  const endOthers = useSubmit(
    useSecurityChange<number>({
      action: 'end-other-sessions',
      send: async () =>
        void (await unwrapAuth(
          auth.signOut({ scope: 'others' }).then(({ error }) => ({ data: null, error })),
        )),
      done: () => ({ title: text.othersDone, description: text.othersDoneDescription }),
      failed: text.endFailed,
    }),
  );
  return (
    <SettingsSection
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
      <QueryContent query={query} errorTitle={text.loadFailed} rows={2}>
        {(sessions) => <SessionList sessions={sessions} onEnd={setEnding} />}
      </QueryContent>
      <ConfirmSubmitDialog
        subject={ending}
        onClose={() => setEnding(undefined)}
        title={(session) => text.endTitle(deviceName(session.user_agent))}
        description={(session) => text.endDescription(ipAddress(session))}
        confirmLabel={text.endConfirm}
        pendingLabel={text.ending}
        submission={end}
        headingId={headingId}
      />
      <ConfirmSubmitDialog
        subject={endingOthers}
        onClose={() => setEndingOthers(undefined)}
        title={() => text.othersTitle}
        description={text.othersDescription}
        confirmLabel={text.othersConfirm}
        pendingLabel={text.ending}
        submission={endOthers}
        headingId={headingId}
      />
    </SettingsSection>
  );
}

interface SessionListProps {
  sessions: readonly SessionSummary[];
  onEnd: (session: SessionSummary) => void;
}

function SessionList({ sessions, onEnd }: SessionListProps): React.JSX.Element {
  const [all, setAll] = useState(false);
  // The button needs as much space as one row, so it replaces two or more.
  const shown =
    all || sessions.length <= initialSessionCount + 1 ? sessions : sessions.slice(0, initialSessionCount);
  return (
    <>
      <SettingsList label={text.title}>
        {shown.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => onEnd(session)} />
        ))}
      </SettingsList>
      {shown.length < sessions.length && (
        <div className="border-t border-border px-3 py-2">
          <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
            {text.showAll(sessions.length)}
          </Button>
        </div>
      )}
      {sessions.length === 1 && <SettingsSectionNote>{text.onlySession}</SettingsSectionNote>}
    </>
  );
}

function SessionItem({ session, onEnd }: { session: SessionSummary; onEnd: () => void }): React.JSX.Element {
  const device = deviceName(session.user_agent);
  // Relative times stay as of the first render, so that they do not change while the user reads them.
  const [now] = useState(() => new Date());
  return (
    <SettingsListItem
      icon={isMobileDevice(session.user_agent) ? <Smartphone /> : <Monitor />}
      name={<span title={session.user_agent ?? undefined}>{device}</span>}
      badge={session.current && <Badge variant="secondary">{text.current}</Badge>}
      details={
        <>
          {ipAddress(session)} · {text.signedIn} <Time value={session.created_at} /> · {text.lastUsed}{' '}
          <RelativeTime value={session.refreshed_at ?? session.created_at} now={now} />
        </>
      }
      actions={
        !session.current && (
          <Button
            variant="outline"
            size="sm"
            aria-label={text.endLabel(device, ipAddress(session))}
            onClick={onEnd}
          >
            {text.end}
          </Button>
        )
      }
    />
  );
}
