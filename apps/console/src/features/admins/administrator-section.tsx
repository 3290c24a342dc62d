/** The access of an administrator in a panel: role, second factor, last sign-in and sessions. */
import type { AdministratorDetails } from '@lanternrock/contract/administrators';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { EndDateDialog } from '../../shared/end-date/end-date-dialog.tsx';
import { endDateText } from '../../shared/end-date/end-date-text.ts';
import { Button } from '../../ui/button.tsx';
import { Detail, DetailList } from '../../ui/detail-panel.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatDateTime } from '../../ui/format-time.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { administratorDetailsQuery, sendRoleEnd, useRefreshAdministrators } from './administrator-queries.ts';
import { AdministratorSessions } from './administrator-sessions.tsx';
import { administratorText as text } from './administrator-text.ts';
import { QuotedText } from '../../ui/quoted-text.tsx';

interface AdministratorSectionProps {
  userId: string;
  name: string;
}

export function AdministratorSection({ userId, name }: AdministratorSectionProps): React.JSX.Element {
  const query = useQuery(administratorDetailsQuery(userId));
  const { data } = query;
  return (
    <>
      <section aria-labelledby="administrator-access" className="grid gap-3 border-t border-border pt-4">
        <h3 id="administrator-access" className="text-sm font-semibold">
          {text.title}
        </h3>
        {data !== undefined && <Access name={name} administrator={data} />}
        {data === undefined && query.isError && (
          <ErrorState
            title={text.loadFailed}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        )}
        {data === undefined && !query.isError && <Skeleton className="h-32 w-full" />}
      </section>
      {data !== undefined && <AdministratorSessions name={name} administrator={data} />}
    </>
  );
}

interface AccessProps {
  name: string;
  administrator: AdministratorDetails;
}

const secondFactorStatus = ({ second_factor: factor, passkey }: AdministratorDetails): string => {
  if (factor) return text.secondFactorOn;
  return passkey ? text.secondFactorPasskey : text.secondFactorOff;
};

function Access({ name, administrator }: AccessProps): React.JSX.Element {
  const { last_sign_in_at: lastSignIn, granted_by: giver } = administrator;
  return (
    <DetailList>
      <RoleEnd name={name} administrator={administrator} />
      <Detail name={text.granted}>
        <TimeWithTooltip value={administrator.since} relative="past" />
        {giver !== null && (
          <span className="text-muted">
            {' '}
            <QuotedText>{text.grantedBy(giver)}</QuotedText>
          </span>
        )}
      </Detail>
      <Detail name={text.lastSignIn}>
        {lastSignIn === null ? text.never : <TimeWithTooltip value={lastSignIn} relative="past" />}
      </Detail>
      <Detail name={text.secondFactor}>{secondFactorStatus(administrator)}</Detail>
    </DetailList>
  );
}

/** Administrators cannot change the end of their own role. */
function RoleEnd({ name, administrator }: AccessProps): React.JSX.Element {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const refresh = useRefreshAdministrators();
  const { ends_at: endsAt, status } = administrator;
  const time = endsAt === null ? text.noEnd : formatDateTime(endsAt);
  return (
    <Detail name={endDateText.ends}>
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span>{status === 'ended' ? text.ended(time) : time}</span>
        {!administrator.is_self && (
          <Button ref={button} variant="outline" size="sm" onClick={() => setOpen(true)}>
            {endDateText.change}
          </Button>
        )}
      </span>
      <EndDateDialog
        open={open}
        title={endDateText.title(name)}
        description={text.dialog.description}
        endsAt={endsAt}
        action="set-administrator-end"
        send={(end, signal) => sendRoleEnd(administrator.user_id, end, signal)}
        done={(_, end) => ({
          title: endDateText.saved,
          description:
            end === null ? text.dialog.savedNone(name) : text.dialog.savedUntil(name, formatDateTime(end)),
        })}
        onSettled={refresh}
        finalFocus={button}
        onClose={() => setOpen(false)}
      />
    </Detail>
  );
}
