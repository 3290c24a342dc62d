/** Lists and revokes the sessions of the current user. */
import { deviceName, isMobileDevice } from '@lanternrock/contract/device-name';
import { useQuery } from '@tanstack/react-query';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState } from 'react';
import { auth, unwrap } from '../../api/auth.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { RelativeTime, Time } from '../../ui/time.tsx';
import { SettingsListItem, SettingsList } from './settings-list.tsx';
import { ConfirmSubmitDialog } from './confirm-submit-dialog.tsx';
import { QueryContent, SettingsSection, SettingsSectionNote } from './settings-section.tsx';
import { type SessionSummary, sessionsQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';

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
      <EndSessionDialog session={ending} onClose={() => setEnding(undefined)} />
      <EndOtherSessionsDialog count={endingOthers} onClose={() => setEndingOthers(undefined)} />
    </SettingsSection>
  );
}

interface EndSessionDialogProps {
  /** Undefined while the dialog is closed. */
  session: SessionSummary | undefined;
  onClose: () => void;
}

function EndSessionDialog({ session, onClose }: EndSessionDialogProps): React.JSX.Element {
  return (
    <ConfirmSubmitDialog
      subject={session}
      onClose={onClose}
      title={({ user_agent }) => text.endTitle(deviceName(user_agent))}
      description={(ended) => text.endDescription(ipAddress(ended))}
      confirmLabel={text.endConfirm}
      pendingLabel={text.ending}
      action="end-session"
      send={({ id }) => auth.request(`/user/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })}
      done={(_, { user_agent }) => ({
        title: text.ended,
        description: text.endedDescription(deviceName(user_agent)),
      })}
      failed={text.endFailed}
      headingId={headingId}
    />
  );
}

interface EndOtherSessionsDialogProps {
  /** Number of other sessions; undefined while the dialog is closed. */
  count: number | undefined;
  onClose: () => void;
}

function EndOtherSessionsDialog({ count, onClose }: EndOtherSessionsDialogProps): React.JSX.Element {
  return (
    <ConfirmSubmitDialog
      subject={count}
      onClose={onClose}
      title={() => text.othersTitle}
      description={text.othersDescription}
      confirmLabel={text.othersConfirm}
      pendingLabel={text.ending}
      action="end-other-sessions"
      send={() => unwrap(auth.signOut({ scope: 'others' }).then(({ error }) => ({ data: null, error })))}
      done={() => ({ title: text.othersDone, description: text.othersDoneDescription })}
      failed={text.endFailed}
      headingId={headingId}
    />
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
  return (
    <SettingsListItem
      icon={isMobileDevice(session.user_agent) ? <Smartphone /> : <Monitor />}
      name={<span title={session.user_agent ?? undefined}>{device}</span>}
      badge={session.current && <Badge variant="secondary">{text.current}</Badge>}
      details={
        <>
          {ipAddress(session)} · {text.signedIn} <Time value={session.created_at} /> · {text.lastUsed}{' '}
          <RelativeTime value={session.refreshed_at ?? session.created_at} />
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
