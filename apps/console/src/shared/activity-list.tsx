/** A list of activity entries that loads further ones as it scrolls, with its loading, empty and error states. */
import type { ActivityFilter, ActivityGroup } from '@lanternrock/contract/activity';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Entry } from './activity-entry.tsx';
import type { OnRecord } from './activity-sentence.tsx';
import { activityText as text } from './activity-text.ts';

interface ActivityListProps {
  /** Accessible name. */
  label: string;
  /** Undefined while loading. */
  entries: readonly ActivityGroup[] | undefined;
  /** The filter of the list, which also applies to the entries of an action. */
  filter: ActivityFilter;
  error: Error | null;
  fetching: boolean;
  hasMore: boolean;
  onMore: () => void;
  onRetry: () => void;
  /** Shown without entries. */
  empty: ReactNode;
  onRecord?: OnRecord;
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
        {entries.map((group) => (
          <Entry key={group.id} group={group} filter={props.filter} onRecord={props.onRecord} />
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
