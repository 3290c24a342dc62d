/** A list of activity entries that loads further ones as it scrolls, with its loading, empty and error states. */
import type { ActivityChange, ActivityEntry } from '@lanternrock/contract/activity';
import { memo, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { Time } from '../ui/time.tsx';
import { activityText as text, actorName, describeActivity, fieldName, fieldValue } from './activity-text.ts';

interface ActivityListProps {
  /** Accessible name. */
  label: string;
  /** Undefined while loading. */
  entries: readonly ActivityEntry[] | undefined;
  error: Error | null;
  fetching: boolean;
  hasMore: boolean;
  onMore: () => void;
  onRetry: () => void;
  /** Shown without entries. */
  empty: ReactNode;
  onRecord?: ((entry: ActivityEntry) => void) | undefined;
}

export function ActivityList(props: ActivityListProps): React.JSX.Element {
  const { entries, error } = props;
  if (entries === undefined)
    return error === null ? (
      <div className="grid gap-2">
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} className="h-14 w-full" />
        ))}
      </div>
    ) : (
      <Failure {...props} />
    );
  if (entries.length === 0) return <>{props.empty}</>;
  return (
    <div className="grid grid-cols-1">
      <ol aria-label={props.label} aria-busy={props.fetching}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} onRecord={props.onRecord} />
        ))}
      </ol>
      {error === null ? props.hasMore && <More {...props} count={entries.length} /> : <Failure {...props} />}
    </div>
  );
}

const Failure = ({ error, onRetry, fetching }: ActivityListProps): React.JSX.Element => (
  <ErrorState title={text.failed} description={error?.message ?? ''} onRetry={onRetry} retrying={fetching} />
);

const More = ({ onMore, fetching, count }: ActivityListProps & { count: number }): React.JSX.Element => (
  <>
    <InView key={count} onView={onMore} />
    <Button
      variant="ghost"
      className="mt-2 justify-self-center"
      onClick={onMore}
      pending={fetching}
      pendingLabel={text.loading}
    >
      {text.more}
    </Button>
  </>
);

/** Reports when its position comes into view. A new `key` reports again, also if it is still in view. */
function InView({ onView }: { onView: () => void }): React.JSX.Element {
  const target = useRef<HTMLSpanElement>(null);
  const notify = useEffectEvent(onView);
  useEffect(() => {
    if (target.current === null) return undefined;
    const observer = new IntersectionObserver(
      (changes) => {
        if (changes.some((change) => change.isIntersecting)) notify();
      },
      { rootMargin: '400px' },
    );
    observer.observe(target.current);
    return () => observer.disconnect();
  }, []);
  return <span ref={target} aria-hidden />;
}

interface EntryProps {
  entry: ActivityEntry;
  /** Shows the entries of one record. Without it, the name of the record is text. */
  onRecord?: ((entry: ActivityEntry) => void) | undefined;
}

/**
 * Who did what, when, from where, with the changed fields before and after. Memoized, because a list can have thousands of
 * entries.
 */
const Entry = memo(({ entry, onRecord }: EntryProps): React.JSX.Element => {
  const { verb, object, relation, record } = describeActivity(entry);
  return (
    <li
      data-entry={entry.id}
      className="grid gap-1 border-b border-border px-1 py-2.5 text-sm [contain-intrinsic-height:auto_4rem] [content-visibility:auto]"
    >
      <p className="wrap-anywhere">
        <bdi translate="no" className="font-medium" title={entry.actor_email ?? undefined}>
          {actorName(entry)}
        </bdi>{' '}
        {verb} {object !== '' && <bdi translate="no">{object} </bdi>}
        {relation} {record !== null && <RecordName name={record} entry={entry} onRecord={onRecord} />}
      </p>
      <p className="flex flex-wrap gap-x-2 text-xs text-muted">
        <Time value={entry.at} exact className="tabular-nums" />
        {entry.origin !== null && <span>{text.origins[entry.origin]}</span>}
      </p>
      {entry.changes.length > 0 && <Changes entry={entry} />}
    </li>
  );
});
Entry.displayName = 'Entry';

function RecordName({ name, entry, onRecord }: EntryProps & { name: string }): React.JSX.Element {
  if (onRecord === undefined || entry.record_id === null)
    return (
      <bdi translate="no" className="font-medium">
        {name}
      </bdi>
    );
  return (
    <button
      type="button"
      className="cursor-pointer text-left font-medium wrap-anywhere text-primary underline-offset-4 hover:underline"
      onClick={() => onRecord(entry)}
    >
      <bdi translate="no">{name}</bdi>
    </button>
  );
}

/** A change shows its fields. A new or deleted record shows them on request, because it has many. */
function Changes({ entry }: { entry: ActivityEntry }): React.JSX.Element {
  const [open, setOpen] = useState(false);
  const isUpdate = entry.action === 'UPDATE';
  const list = (
    <dl className="grid gap-0.5 text-[0.8125rem]">
      {entry.changes.map((change) => (
        <Change key={change.field} change={change} isUpdate={isUpdate} />
      ))}
    </dl>
  );
  if (isUpdate) return list;
  return (
    <details className="text-[0.8125rem]" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer leading-6 text-muted hover:text-foreground">
        {text.fields(entry.changes.length)}
      </summary>
      {open && list}
    </details>
  );
}

function Change({ change, isUpdate }: { change: ActivityChange; isUpdate: boolean }): React.JSX.Element {
  const { field, before, after } = change;
  return (
    <div className="flex flex-wrap gap-x-2 wrap-anywhere">
      <dt className="text-muted">{fieldName(field)}</dt>
      <dd className="min-w-0">
        {isUpdate ? (
          <>
            <Value field={field} value={before} />
            <span aria-hidden className="px-1.5 text-muted">
              →
            </span>
            <span className="sr-only"> {text.changedTo} </span>
            <Value field={field} value={after} />
          </>
        ) : (
          <Value field={field} value={after ?? before} />
        )}
      </dd>
    </div>
  );
}

const Value = ({ field, value }: { field: string; value: string | null }): React.JSX.Element =>
  value === null || value === '' ? (
    <span className="text-muted italic">{text.noValue}</span>
  ) : field === 'status' ? (
    <StatusBadge status={value} size="sm" />
  ) : (
    <bdi translate="no">{fieldValue(field, value)}</bdi>
  );
