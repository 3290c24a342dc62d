/** The handover page: what changed since the administrator was last here. */
import type { HandoverResponse } from '@lanternrock/contract/handover';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Copy from 'lucide-react/icons/copy';
import Printer from 'lucide-react/icons/printer';
import { useEffect } from 'react';
import { serverNow } from '../../api/server-clock.ts';
import { callFunction } from '../../api/functions.ts';
import { formatExactTime } from '../../ui/format-time.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Button, buttonStyle } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { DayInput } from '../../ui/day-input.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useCopyWithToast } from '../../ui/use-copy-with-toast.ts';
import { startOfDay, toDayInput } from '../../ui/input-day.ts';
import { handoverSearchParams } from './handover-period.ts';
import { handoverPlainText } from './handover-plain-text.ts';
import { handoverQuery } from './handover-queries.ts';
import { Change, InvitationEvent, Section } from './handover-section.tsx';
import { handoverText as text } from './handover-text.ts';

export function HandoverScreen(): React.JSX.Element {
  const { search, change } = useUrlState('/admin/handover', handoverSearchParams);
  const period = search.since;
  const query = useQuery({ ...handoverQuery(period), placeholderData: keepPreviousData });
  const { data } = query;
  useConfirmVisit(query.isPlaceholderData ? undefined : data, period);
  const isFirstVisit = data?.last_visit === null && period === undefined && !query.isPlaceholderData;
  return (
    <div className="grid max-w-3xl content-start gap-5">
      <ScreenHeader
        title={text.title}
        description={text.description}
        action={data !== undefined && <Actions changes={data} />}
      />
      <PeriodChoice period={period} onChange={(since) => change({ since }, { replace: true })} />
      {data !== undefined && <Changes changes={data} isFirstVisit={isFirstVisit} />}
      {data === undefined && query.isError && (
        <ErrorState
          title={text.loadFailed}
          description={query.error.message}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      {data === undefined && !query.isError && (
        <div role="status" aria-label={text.loading} className="grid gap-3">
          {['w-2/3', 'w-1/2', 'w-3/5'].map((width) => (
            <Skeleton key={width} className={`h-5 ${width}`} />
          ))}
        </div>
      )}
    </div>
  );
}

function Actions({ changes }: { changes: HandoverResponse }): React.JSX.Element {
  const { copied, copy } = useCopyWithToast({ action: 'copy-handover' });
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button variant="outline" onClick={() => copy(handoverPlainText(changes))}>
        <Copy aria-hidden />
        <span aria-live="polite">{copied ? text.copied : text.copy}</span>
      </Button>
      <Button variant="outline" onClick={() => print()}>
        <Printer aria-hidden />
        {text.print}
      </Button>
      <Link to="/admin/handover/sheet" className={buttonStyle({ variant: 'outline' })}>
        {text.sheet}
      </Link>
    </div>
  );
}

interface PeriodChoiceProps {
  period: string | undefined;
  onChange: (period: string | undefined) => void;
}

function PeriodChoice({ period, onChange }: PeriodChoiceProps): React.JSX.Element {
  const isDatePeriod = period !== undefined && startOfDay(period) !== undefined;
  const choose = (value: string): void =>
    onChange(value === 'last' ? undefined : value === 'date' ? toDayInput(serverNow()) : value);
  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <Field
        label={text.since}
        className="w-56"
        helpText={period === undefined ? text.visitHelp : undefined}
        render={(control) => (
          <Select
            {...control}
            options={text.options}
            value={isDatePeriod ? 'date' : (period ?? 'last')}
            onChange={(event) => choose(event.target.value)}
          />
        )}
      />
      {isDatePeriod && (
        <Field
          label={text.date}
          className="w-44"
          render={(control) => (
            <DayInput
              {...control}
              value={period}
              max={toDayInput(serverNow())}
              onValueChange={(day) => {
                if (day !== undefined) onChange(day);
              }}
            />
          )}
        />
      )}
    </div>
  );
}

interface ChangesProps {
  changes: HandoverResponse;
  isFirstVisit: boolean;
}

function Changes({ changes, isFirstVisit }: ChangesProps): React.JSX.Element {
  const { since, until, accounts, invitations, settings } = changes;
  return (
    <>
      <p className="text-sm">
        {text.period(formatExactTime(since), formatExactTime(until))}
        {isFirstVisit && <span className="block text-muted">{text.firstVisit}</span>}
      </p>
      <Section
        title={text.sections.accounts}
        section={accounts}
        keyOf={({ id }) => id}
        render={(item) => <Change item={item} />}
      />
      <Section
        title={text.sections.invitations}
        section={invitations}
        keyOf={({ id, event, at }) => `${id} ${event} ${at}`}
        render={(item) => <InvitationEvent item={item} />}
      />
      <Section
        title={text.sections.settings}
        section={settings}
        keyOf={({ id }) => id}
        render={(item) => <Change item={item} />}
      />
    </>
  );
}

const minVisibleMs = 5000;

/**
 * Confirms a response when it was visible for some seconds: the next visit starts at its end. A page in a background tab, or
 * left immediately, confirms nothing, so its changes are shown again at the next visit.
 *
 * @param period the param of the URL; undefined for the last visit
 */
const useConfirmVisit = (changes: HandoverResponse | undefined, period: string | undefined): void => {
  // A shorter period leaves out changes since the last visit, or those that the first visit shows.
  const isComplete =
    changes !== undefined &&
    (period === undefined || (changes.last_visit !== null && changes.since <= changes.last_visit));
  const until = isComplete ? changes.until : undefined;
  useEffect(() => {
    if (until === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = (): void => {
      clearTimeout(timer);
      if (document.visibilityState !== 'visible') return;
      timer = setTimeout(() => {
        // After a failure, the next visit shows the changes again.
        callFunction('confirm-handover', { until }).catch(() => undefined);
      }, minVisibleMs);
    };
    restart();
    document.addEventListener('visibilitychange', restart);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', restart);
    };
  }, [until]);
};
