/** Card of one section of the security screen, with its loading and error states. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { Card, CardDescription, CardTitle } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface SettingsSectionProps {
  /** ID of the heading, which gets the focus when the focused row is removed. */
  id: string;
  title: string;
  description: string;
  badge?: ReactNode;
  /** Shown to the right of the heading. */
  action?: ReactNode;
  children: ReactNode;
}

export function SettingsSection({
  id,
  title,
  description,
  badge,
  action,
  children,
}: SettingsSectionProps): React.JSX.Element {
  return (
    <Card aria-labelledby={id}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5 py-4">
        <div className="grid min-w-0 gap-1">
          <div className="flex items-center gap-2.5">
            <CardTitle id={id} tabIndex={-1}>
              {title}
            </CardTitle>
            {badge}
          </div>
          <CardDescription>{description}</CardDescription>
        </div>
        {action}
      </div>
      {children}
    </Card>
  );
}

interface QueryContentProps<Data> {
  query: UseQueryResult<Data>;
  /** Title of the error state. */
  errorTitle: string;
  /** Number of skeleton rows. */
  rows: number;
  children: (data: Data) => ReactNode;
}

/** Shows the query's data, also while a refetch runs or after it failed. */
export function QueryContent<Data>({
  query,
  errorTitle,
  rows,
  children,
}: QueryContentProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return (
      <div className="border-t border-border" role="alert">
        <ErrorState
          title={errorTitle}
          description={errorMessage(query.error)}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      </div>
    );
  }
  return (
    <div aria-busy className="border-t border-border">
      {Array.from({ length: rows }, (_, row) => (
        // The index is a stable key, because skeleton rows never move.
        <div key={row} className="flex min-h-15 items-center gap-3 border-border px-5 not-first:border-t">
          <Skeleton shape="box" className="size-8 shrink-0" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-3.5 w-40 max-w-full" />
            <Skeleton className="h-3 w-64 max-w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}

export function SettingsSectionNote({ children }: { children: ReactNode }): React.JSX.Element {
  return <p className="border-t border-border px-5 py-4 text-sm text-muted">{children}</p>;
}
