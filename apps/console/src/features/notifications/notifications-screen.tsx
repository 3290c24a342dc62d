/** The Notification Settings screen: the sender of outgoing email, and delivery tests. */
import { useQuery } from '@tanstack/react-query';
import { hasFeature } from '../../api/runtime-config.ts';
import { LocalMailboxNotice } from '../../shared/local-mailbox-notice.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useErrorToast } from '../../ui/use-error-toast.ts';
import { DeliveryCard } from './delivery-card.tsx';
import { settingsQuery } from './notifications-queries.ts';
import { notificationsText as text } from './notifications-text.ts';
import { SettingsForm } from './settings-form.tsx';

export function NotificationsScreen(): React.JSX.Element {
  const query = useQuery(settingsQuery);
  useErrorToast({ error: query.error, failedAt: query.errorUpdatedAt }, () => ({
    action: 'load-settings',
    title: text.toast.error,
    description: text.toast.loadFailed,
    variant: 'destructive',
  }));
  return (
    <div className="grid content-start gap-4">
      <ScreenHeader title={text.title} />
      <LocalMailboxNotice />
      <Card className="max-w-3xl" aria-labelledby="email-configuration">
        <CardHeader>
          <CardTitle id="email-configuration">{text.form.title}</CardTitle>
          <CardDescription>{text.form.description}</CardDescription>
        </CardHeader>
        {query.data !== undefined && <SettingsForm stored={query.data} />}
        {query.data === undefined && query.isError && (
          <ErrorState
            title={text.loadFailed}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        )}
        {query.data === undefined && !query.isError && <FormSkeleton />}
      </Card>
      {hasFeature('extensions') && <DeliveryCard domain={query.data?.sender_email?.split('@')[1]} />}
    </div>
  );
}

/** A skeleton with the height of the form. */
function FormSkeleton(): React.JSX.Element {
  return (
    <CardContent className="grid gap-4" aria-busy>
      {['w-40', 'w-24'].map((width) => (
        <div key={width} className="grid gap-1.5">
          <Skeleton className={`h-5 ${width}`} />
          <Skeleton className="h-9 w-full" />
        </div>
      ))}
      <Skeleton className="h-9 w-32" />
    </CardContent>
  );
}
