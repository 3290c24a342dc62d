/** Lists and revokes the sessions of the current user. */
import { deviceName, isMobileDevice } from '@lanternrock/contract/device-name';
import { useQuery } from '@tanstack/react-query';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { type Ref, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { auth, unwrap } from '../../api/auth.ts';
import { useRenewalSentence } from '../../shared/use-renewal-sentence.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Time } from '../../ui/time.tsx';
import { SettingsListItem, SettingsList } from './settings-list.tsx';
import { ConfirmSubmitDialog } from './confirm-submit-dialog.tsx';
import { QueryContent, SettingsSection, SettingsSectionNote } from './settings-section.tsx';
import { type SessionSummary, sessionsQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';

const text = securityText.sessions;
const headingId = 'security-sessions';
/** Number of sessions shown before *Show all*. */
const initialSessionCount = 6;

const formatIpAddress = ({ ip }: SessionSummary): string => ip ?? text.unknownIpAddress;

export function SessionsSection(): React.JSX.Element {
  const query = useQuery(sessionsQuery);
  const others = query.data?.filter((session) => !session.current) ?? [];
  const [sessionToRevoke, setSessionToRevoke] = useState<SessionSummary>();
  const [otherSessionCount, setOtherSessionCount] = useState<number>();
  return (
    <SettingsSection
      id={headingId}
      title={text.title}
      description={text.description}
      action={
        others.length > 0 && (
          <Button variant="outline" size="sm" onClick={() => setOtherSessionCount(others.length)}>
            <LogOut aria-hidden />
            {text.others}
          </Button>
        )
      }
    >
      <QueryContent query={query} errorTitle={text.loadFailed} rows={2}>
        {(sessions) => <SessionList sessions={sessions} onRevoke={setSessionToRevoke} />}
      </QueryContent>
      <RevokeSessionDialog session={sessionToRevoke} onClose={() => setSessionToRevoke(undefined)} />
      <RevokeOtherSessionsDialog count={otherSessionCount} onClose={() => setOtherSessionCount(undefined)} />
    </SettingsSection>
  );
}

interface RevokeSessionDialogProps {
  /** Undefined while the dialog is closed. */
  session: SessionSummary | undefined;
  onClose: () => void;
}

function RevokeSessionDialog({ session, onClose }: RevokeSessionDialogProps): React.JSX.Element {
  return (
    <ConfirmSubmitDialog
      subject={session}
      onClose={onClose}
      title={({ user_agent }) => text.revokeTitle(deviceName(user_agent))}
      description={(revoked) => text.revokeDescription(formatIpAddress(revoked))}
      confirmLabel={text.revokeConfirm}
      pendingLabel={text.revoking}
      action="revoke-session"
      send={({ id }) => auth.request(`/user/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })}
      done={(_, { user_agent }) => ({
        title: text.revoked,
        description: text.revokedDescription(deviceName(user_agent)),
      })}
      failed={text.revokeFailed}
      headingId={headingId}
    />
  );
}

interface RevokeOtherSessionsDialogProps {
  /** Number of other sessions; undefined while the dialog is closed. */
  count: number | undefined;
  onClose: () => void;
}

function RevokeOtherSessionsDialog({ count, onClose }: RevokeOtherSessionsDialogProps): React.JSX.Element {
  return (
    <ConfirmSubmitDialog
      subject={count}
      onClose={onClose}
      title={() => text.othersTitle}
      description={text.othersDescription}
      confirmLabel={text.othersConfirm}
      pendingLabel={text.revoking}
      action="revoke-other-sessions"
      send={() => unwrap(auth.signOut({ scope: 'others' }).then(({ error }) => ({ data: null, error })))}
      done={() => ({ title: text.othersDone, description: text.othersDoneDescription })}
      failed={text.othersFailed}
      headingId={headingId}
    />
  );
}

interface SessionListProps {
  sessions: readonly SessionSummary[];
  onRevoke: (session: SessionSummary) => void;
}

function SessionList({ sessions, onRevoke }: SessionListProps): React.JSX.Element {
  const [showsAll, setShowsAll] = useState(false);
  const renewal = useRenewalSentence();
  const note = sessions.length === 1 ? text.onlySession : renewal;
  const firstAdded = useRef<HTMLLIElement>(null);
  // The button needs as much space as one row, so it replaces two or more.
  const shown =
    showsAll || sessions.length <= initialSessionCount + 1
      ? sessions
      : sessions.slice(0, initialSessionCount);
  return (
    <>
      <SettingsList label={text.title}>
        {shown.map((session, index) => (
          <SessionItem
            key={session.id}
            ref={index === initialSessionCount ? firstAdded : undefined}
            session={session}
            onRevoke={() => onRevoke(session)}
          />
        ))}
      </SettingsList>
      {shown.length < sessions.length && (
        <div className="border-t border-border px-3 py-2">
          <Button
            variant="ghost"
            size="sm"
            onClick={() => {
              flushSync(() => setShowsAll(true));
              // The button disappears. The first row that it added is in its place.
              firstAdded.current?.focus();
            }}
          >
            {text.showAll(sessions.length)}
          </Button>
        </div>
      )}
      {note !== '' && <SettingsSectionNote>{note}</SettingsSectionNote>}
    </>
  );
}

interface SessionItemProps {
  ref: Ref<HTMLLIElement> | undefined;
  session: SessionSummary;
  onRevoke: () => void;
}

function SessionItem({ ref, session, onRevoke }: SessionItemProps): React.JSX.Element {
  const device = deviceName(session.user_agent);
  return (
    <SettingsListItem
      ref={ref}
      icon={isMobileDevice(session.user_agent) ? <Smartphone /> : <Monitor />}
      name={<span title={session.user_agent ?? undefined}>{device}</span>}
      badge={session.current && <Badge variant="secondary">{text.current}</Badge>}
      details={
        <>
          {formatIpAddress(session)} · {text.signedIn} <Time value={session.created_at} />
          <LastRenewal {...session} />
        </>
      }
      actions={
        !session.current && (
          <Button
            variant="outline"
            size="sm"
            aria-label={text.revokeLabel(device, formatIpAddress(session))}
            onClick={onRevoke}
          >
            {text.revoke}
          </Button>
        )
      }
    />
  );
}

/** Nothing for a session that was not renewed since its sign-in. */
function LastRenewal({ current, refreshed_at: renewedAt }: SessionSummary): React.ReactNode {
  if (current) return ` · ${text.active}`;
  if (renewedAt === null) return null;
  return (
    <>
      {' '}
      · {text.renewed} <RelativeTime value={renewedAt} />
    </>
  );
}
