/** The sessions of an administrator, with a button that ends each of them. */
import type { AdministratorDetails, AdministratorSession } from '@lanternrock/contract/administrators';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { useRef, useState } from 'react';
import { useRenewalSentence } from '../../shared/use-renewal-sentence.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { deviceName, isMobileDevice } from '@lanternrock/contract/device-name';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { useLastDefined } from '../../ui/use-last-defined.ts';
import { useEndSessions } from './administrator-queries.ts';
import { administratorText } from './administrator-text.ts';

const text = administratorText.sessions;
const headingId = 'administrator-sessions';

interface AdministratorSessionsProps {
  name: string;
  administrator: AdministratorDetails;
}

export function AdministratorSessions({
  name,
  administrator,
}: AdministratorSessionsProps): React.JSX.Element {
  const { sessions, is_self: isSelf } = administrator;
  /** Null: all sessions. */
  const [ending, setEnding] = useState<AdministratorSession | null>();
  const renewal = useRenewalSentence();
  const last = useLastDefined(ending);
  const confirmed = useRef(false);
  const { pending, submit, cancel } = useEndSessions(administrator.user_id);
  const others = sessions.filter((session) => !session.current);
  const ask = (session: AdministratorSession | null): void => {
    confirmed.current = false;
    setEnding(session);
  };
  const endAll = isSelf
    ? { title: text.endAllSelfTitle, description: text.endAllSelfDescription, confirmLabel: text.endAllSelf }
    : { title: text.endAllTitle(name), description: text.endAllDescription, confirmLabel: text.endAll };
  return (
    <section aria-labelledby={headingId} className="grid gap-3 border-t border-border pt-4">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h3 id={headingId} tabIndex={-1} className="text-sm font-semibold">
          {text.title}
        </h3>
        {others.length > 1 && (
          <Button variant="outline" size="sm" onClick={() => ask(null)}>
            {endAll.confirmLabel}
          </Button>
        )}
      </div>
      {sessions.length === 0 && <p className="text-sm text-muted">{text.none}</p>}
      {sessions.length > 0 && renewal !== '' && <p className="text-xs text-muted">{renewal}</p>}
      <ul aria-labelledby={headingId} className="grid gap-3">
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => ask(session)} />
        ))}
      </ul>
      {last !== undefined && (
        <ConfirmDialog
          open={ending !== undefined}
          {...(last === null
            ? endAll
            : {
                title: text.endTitle(deviceName(last.user_agent), name),
                description: text.endDescription,
                confirmLabel: text.end,
              })}
          pending={pending}
          pendingLabel={text.ending}
          finalFocus={() => (confirmed.current ? (document.getElementById(headingId) ?? true) : true)}
          onCancel={() => {
            cancel();
            setEnding(undefined);
          }}
          onConfirm={() => {
            if (ending === undefined) return;
            void submit(ending).then((succeeded) => {
              confirmed.current = succeeded;
              setEnding(undefined);
            });
          }}
        />
      )}
    </section>
  );
}

interface SessionItemProps {
  session: AdministratorSession;
  onEnd: () => void;
}

function SessionItem({ session, onEnd }: SessionItemProps): React.JSX.Element {
  const device = deviceName(session.user_agent);
  const network = session.network ?? text.unknownNetwork;
  const Icon = isMobileDevice(session.user_agent) ? Smartphone : Monitor;
  return (
    <li className="flex items-start gap-2.5 text-sm">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p translate="no" className="font-medium wrap-anywhere" title={session.user_agent ?? undefined}>
          {device}
        </p>
        <p className="text-xs text-muted wrap-anywhere">
          <bdi translate="no">{network}</bdi> · <LastRenewal {...session} />
        </p>
      </div>
      {session.current ? (
        <Badge variant="secondary">{text.current}</Badge>
      ) : (
        <Button variant="outline" size="sm" aria-label={text.endLabel(device, network)} onClick={onEnd}>
          {text.end}
        </Button>
      )}
    </li>
  );
}

/** The time of the sign-in for a session that was not renewed since. */
function LastRenewal(session: AdministratorSession): React.ReactNode {
  if (session.current) return text.active;
  const { created_at: signedInAt, renewed_at: renewedAt } = session;
  return (
    <>
      {renewedAt === null ? text.signedIn : text.renewed}{' '}
      <TimeWithTooltip value={renewedAt ?? signedInAt} relative="past" />
    </>
  );
}
