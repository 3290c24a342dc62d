/** The side panel of one invitation. */
import type { InvitationHistory as History } from '@lanternrock/contract/invitations';
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { Detail, DetailList, DetailPanel } from '../../ui/detail-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { InvitationActionButtons } from './invitation-action-buttons.tsx';
import { administratorsQuery, useRefreshAdministrators } from './administrator-queries.ts';
import { AdministratorSection } from './administrator-section.tsx';
import { adminsText } from './admins-text.ts';
import { InvitationHistory } from './invitation-history.tsx';
import { InvitationLinkSection } from './invitation-link.tsx';
import { invitationHistoryQuery } from './invitation-queries.ts';
import { hasLink, InvitationStatusBadge } from './invitation-status.tsx';
import { InvitationTermsSection } from './invitation-terms-section.tsx';
import { invitationText, termsText } from './invitation-text.ts';
import { ResendButton } from './resend-button.tsx';

const text = adminsText.panel;

interface InvitationPanelProps {
  open: boolean;
  /** Undefined while closed. */
  id: string | undefined;
  /** Undefined while the list is loading. */
  rows: readonly InvitationRow[] | undefined;
  onClose: () => void;
}

export function InvitationPanel({ open, id, rows, onClose }: InvitationPanelProps): React.JSX.Element {
  return (
    <DetailPanel
      open={open}
      id={id}
      record={rows?.find((row) => row.id === id)}
      nameOf={(row) => row.full_name}
      unnamed={text.unnamed}
      rowAttribute="data-invitation"
      onClose={onClose}
      fallback={
        rows === undefined ? (
          <Skeleton className="h-24 w-full" />
        ) : (
          <p className="text-sm text-muted">{text.notFound}</p>
        )
      }
    >
      {/* The key separates the pending requests and results of the invitations. */}
      {(row) => <Details key={row.id} invitation={row} />}
    </DetailPanel>
  );
}

function Details({ invitation }: { invitation: InvitationRow }): React.JSX.Element {
  const hasExtensions = hasFeature('extensions');
  const history = useQuery({
    ...invitationHistoryQuery(invitation.id),
    ...enabledIf(hasExtensions),
  });
  // While the first attempt runs. An unreliable connection must not hide the actions.
  const isFirstRead = history.isLoading && history.failureCount === 0;
  useRefreshOutdated(invitation, history.data);
  const cooldownSeconds = useCountdown(history.data?.resend_in ?? 0, history.dataUpdatedAt);
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <InvitationStatusBadge status={invitation.status} />
        <div className="flex items-center gap-3">
          {cooldownSeconds > 0 && (
            <span id="resend-cooldown" className="text-sm text-muted">
              {invitationText.resendIn(cooldownSeconds)}
            </span>
          )}
          <ResendButton
            invitation={invitation}
            cooldownSeconds={cooldownSeconds}
            describedBy={cooldownSeconds > 0 ? 'resend-cooldown' : undefined}
          />
        </div>
      </div>
      {history.data?.terms && <InvitationTermsSection invitation={invitation} terms={history.data.terms} />}
      <DetailList>
        <Detail name={text.email}>
          <bdi translate="no">{invitation.email}</bdi>
        </Detail>
        <Detail name={text.invited}>
          <TimeWithTooltip value={invitation.invited_at} relative="past" />
        </Detail>
        {hasLink(invitation.status) && (
          <Detail name={text.expires}>
            <TimeWithTooltip value={invitation.expires_at} relative="due" />
          </Detail>
        )}
        {history.data?.invited_by && (
          <Detail name={termsText.invitedBy}>
            <bdi translate="no">{history.data.invited_by}</bdi>
          </Detail>
        )}
      </DetailList>
      <AdministratorAccess invitation={invitation} />
      {hasExtensions && <InvitationHistory query={history} />}
      {history.data?.link_allowed === true && (
        <InvitationLinkSection
          invitation={invitation}
          replacesEmail={history.data.mails[0]?.status === 'waiting'}
        />
      )}
      {/* Rendered after the history, which would move the buttons under the pointer. */}
      {hasExtensions && !isFirstRead && (
        <InvitationActionButtons
          invitation={invitation}
          hasSecondFactor={history.data?.second_factor === true}
        />
      )}
    </>
  );
}

/**
 * Reads the lists again if the history, which is newer, contains an acceptance that the list does not show, or a further change
 * by another user.
 */
function useRefreshOutdated({ status }: InvitationRow, history: History | undefined): void {
  const refresh = useRefreshAdministrators();
  const isAccepted = history !== undefined && history.accepted_at !== null && status === 'pending';
  const lastEventAt = history && (history.events?.[0]?.at ?? '');
  const shownEventAt = useRef(lastEventAt);
  useEffect(() => {
    const isChanged = shownEventAt.current !== undefined && shownEventAt.current !== lastEventAt;
    shownEventAt.current = lastEventAt;
    if (isAccepted || isChanged) void refresh();
  }, [isAccepted, lastEventAt, refresh]);
}

/** Shown if the invited user has or had the role. */
function AdministratorAccess({ invitation }: { invitation: InvitationRow }): React.JSX.Element | null {
  const { data } = useQuery(administratorsQuery);
  const administrator = data?.find((each) => each.invitation_id === invitation.id);
  if (administrator === undefined) return null;
  return (
    <AdministratorSection
      key={administrator.user_id}
      userId={administrator.user_id}
      name={invitation.full_name}
    />
  );
}

/** Converts a time of the past to the clock that only runs forward. Both in milliseconds. */
const monotonicTime = (time: number): number => performance.now() - Math.max(0, Date.now() - time);

/**
 * Returns the remaining seconds, also if the clock of the device is set during the wait.
 *
 * @param seconds waiting time in the response of the service, in seconds
 * @param since time of the response by the clock of the browser, in milliseconds
 */
const useCountdown = (seconds: number, since: number): number => {
  const [start, setStart] = useState(() => ({ since, at: monotonicTime(since) }));
  const [now, setNow] = useState(start.at);
  if (start.since !== since) setStart({ since, at: monotonicTime(since) });
  const remaining = Math.max(0, Math.ceil(seconds - Math.max(0, now - start.at) / 1000));
  const running = remaining > 0;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  return remaining;
};
