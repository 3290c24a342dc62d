/** The activity of one account and its members, in its panel. Loaded on demand. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useMemo } from 'react';
import { useActivity } from '../../shared/activity-queries.ts';
import { ActivityList } from '../../shared/activity-list.tsx';
import { accountText } from './account-text.ts';

const text = accountText.activity;

interface AccountActivityProps {
  open: boolean;
  account: AccountRow;
}

export function AccountActivity({ account }: AccountActivityProps): React.JSX.Element {
  const { id, updated_at: updated, active_members: members, status } = account;
  const filter = useMemo(() => ({ record: id }), [id]);
  // A change of the account, its status or its members is a new entry.
  const list = useActivity(filter, { version: `${updated} ${members} ${status}` });
  return (
    <ActivityList
      label={text.title}
      entries={list.entries}
      error={list.error}
      fetching={list.fetching}
      hasMore={list.hasMore}
      onMore={list.loadMore}
      onRetry={list.retry}
      empty={<p className="text-sm text-muted">{text.empty}</p>}
    />
  );
}
