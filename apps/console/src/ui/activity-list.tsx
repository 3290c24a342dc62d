/** A list of activity entries that loads further ones as it scrolls, with its loading, empty and error states. */
import type { ReactNode } from 'react';
import { ActivityEntry } from './activity-entry.tsx';
import type { ActivityItem } from './activity-text.ts';
import { Button } from './button.tsx';
import { ErrorState } from './error-state.tsx';
import { InView } from './in-view.tsx';
import { Skeleton } from './skeleton.tsx';

interface ActivityListProps {
  /** Accessible name. */
  label: string;
  /** Undefined while loading. */
  entries: readonly ActivityItem[] | undefined;
  error: Error | null;
  fetching: boolean;
  hasMore: boolean;
  onMore: () => void;
  onRetry: () => void;
  /** Shown without entries. */
  empty: ReactNode;
  onRecord?: ((entry: ActivityItem) => void) | undefined;
}

const text = {
  failed: 'The activity could not be loaded',
  more: 'Load older entries',
  loading: 'Loading...',
};

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
          <ActivityEntry key={entry.id} entry={entry} onRecord={props.onRecord} />
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
