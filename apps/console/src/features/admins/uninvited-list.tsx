/** The administrators who never had an invitation, for example the first one. */
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useQuery } from '@tanstack/react-query';
import { administratorsQuery } from './administrator-queries.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatDateTime } from '../../ui/format-time.ts';
import { RecordLink } from '../../ui/record-link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type AdminsFilter, administratorName, uninvited } from './administrators-filter.ts';
import { administratorText } from './administrator-text.ts';
import { adminsViewText } from './admins-text.ts';

const text = adminsViewText.uninvited;

interface UninvitedListProps {
  filter: AdminsFilter;
  onOpen: (userId: string) => void;
}

export function UninvitedList({ filter, onOpen }: UninvitedListProps): React.JSX.Element {
  const query = useQuery(administratorsQuery);
  if (query.data === undefined && query.isError) {
    return (
      <ErrorState
        title={administratorText.loadFailed}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (query.data === undefined) return <Skeleton className="h-24 w-full" />;
  const shown = uninvited(query.data, filter);
  return (
    <section
      aria-labelledby="uninvited"
      className="grid gap-2 rounded-lg border border-border bg-surface p-4"
    >
      <h2 id="uninvited" className="text-sm font-semibold">
        {text.title}
      </h2>
      {shown.length === 0 && <p className="text-sm text-muted">{text.none}</p>}
      <ul className="grid">
        {shown.map((administrator) => (
          <li
            key={administrator.user_id}
            data-administrator={administrator.user_id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-border py-2 text-sm"
          >
            <RecordLink
              href={`/admin/platform-admins?administrator=${administrator.user_id}`}
              className="rounded-sm font-medium underline-offset-2 hover:underline"
              onOpen={() => onOpen(administrator.user_id)}
            >
              <bdi translate="no">{administratorName(administrator)}</bdi>
            </RecordLink>
            <bdi translate="no" className="min-w-0 flex-1 text-muted wrap-anywhere">
              {administrator.email}
            </bdi>
            {administrator.ends_at !== null && administrator.status === 'active' && (
              <span className="text-muted">
                {administratorText.until(formatDateTime(administrator.ends_at))}
              </span>
            )}
            <StatusBadge status={administrator.status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
