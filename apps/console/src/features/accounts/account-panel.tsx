/** The side panel of one account. Not modal, so other rows of the list can be opened while it is open. */
import { formatCount } from '@lanternrock/contract/format-count';
import type { AccountMembersResponse } from '@lanternrock/contract/account-members';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useInfiniteQuery, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { recentAccounts } from '../../session/recent-lists.ts';
import { useIsAdministrator, useUser } from '../../session/use-session.tsx';
import { ActivityList } from '../../shared/activity-list.tsx';
import { useActivity } from '../../shared/activity-queries.ts';
import { panelIntervalMs } from '../../shared/panel-interval.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Alert } from '../../ui/alert.tsx';
import { Detail, DetailList, DetailPanel } from '../../ui/detail-panel.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountTypeBadge } from './account-columns.tsx';
import { AccountCopy } from './account-copy.tsx';
import { accountDetailsQuery, showSavedAccount } from './account-edits.ts';
import { AccountPager, type PagerList } from './account-pager.tsx';
import { accountPanelText } from './account-panel-text.ts';
import { accountQuery } from './accounts-queries.ts';
import { accountsSearchParams } from './accounts-search-params.ts';
import { accountListText } from './account-list-text.ts';
import { contactsQuery } from './contact-queries.ts';
import { memberInvitationsQuery } from './member-invitation-queries.ts';
import { membersQuery } from './member-queries.ts';

const text = accountPanelText.panel;

const AccountContacts = lazyOverlay(async () => (await import('./account-contacts.tsx')).AccountContacts);
const AccountMembers = lazyOverlay(async () => (await import('./account-members.tsx')).AccountMembers);

interface AccountPanelProps {
  open: boolean;
  /** ID of the account; undefined while closed. */
  id: string | undefined;
  /** The account, if the list has loaded it. */
  account: AccountRow | undefined;
  /** False while the list is loading, which can still load the account. */
  listLoaded: boolean;
  /** The list that the panel steps through. */
  list: PagerList;
  onMove: (id: string) => void;
  onClose: () => void;
}

export function AccountPanel({
  open,
  id,
  account,
  listLoaded,
  list,
  onMove,
  onClose,
}: AccountPanelProps): React.JSX.Element {
  const query = useQuery({
    ...accountQuery(id ?? ''),
    ...enabledIf(id !== undefined && account === undefined && listLoaded),
  });
  const record = account ?? query.data ?? undefined;
  useFocusInPanel(id);
  useRecentAccount(record);
  useLiveAccount(open ? record : undefined);
  return (
    <DetailPanel
      open={open}
      id={id}
      record={record}
      nameOf={(row) => row.name}
      unnamed={text.unnamed}
      rowAttribute="data-account"
      onClose={onClose}
      fallback={<MissingAccount query={query} />}
      renderTitleActions={(row) => <AccountPager id={row.id} list={list} onMove={onMove} />}
    >
      {/* The key separates the dialogs of the accounts. */}
      {(row) => <Details key={row.id} account={row} />}
    </DetailPanel>
  );
}

/** Moves the focus to the panel if the focused control belonged to the previous account. */
const useFocusInPanel = (id: string | undefined): void => {
  const shown = useRef(id);
  useEffect(() => {
    const wasOpen = shown.current !== undefined && shown.current !== id;
    shown.current = id;
    if (wasOpen && id !== undefined && document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-sheet][data-side=right]')?.focus();
  }, [id]);
};

/** Shows what other users change in an open account. */
const useLiveAccount = (account: AccountRow | undefined): void => {
  const client = useQueryClient();
  const isRead = useIsAdministrator().state === 'yes' && hasFeature('extensions') && account !== undefined;
  const { data } = useQuery({
    ...accountQuery(account?.id ?? ''),
    ...enabledIf(isRead),
    // Otherwise each opening would read the row that the list has just read.
    ...(account && { initialData: account }),
    refetchInterval: panelIntervalMs,
  });
  const isOutdated =
    isRead && data?.id === account.id && Date.parse(data.updated_at) > Date.parse(account.updated_at);
  useEffect(() => {
    if (isOutdated) showSavedAccount(client, data);
  }, [client, data, isOutdated]);
};

/** Adds a shown account to the recently viewed ones. */
const useRecentAccount = (account: AccountRow | undefined): void => {
  const userId = useUser()?.id;
  useEffect(() => {
    if (userId === undefined || account === undefined) return;
    recentAccounts.save(userId, { id: account.id, name: account.name });
  }, [userId, account]);
};

function MissingAccount({ query }: { query: UseQueryResult<AccountRow | null> }): React.JSX.Element {
  if (query.isError) {
    return (
      <ErrorState
        title={text.loadFailed}
        description={query.error.message}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (query.data === null) return <p className="text-sm text-muted">{text.notFound}</p>;
  return <Skeleton className="h-24 w-full" />;
}

function Details({ account }: { account: AccountRow }): React.JSX.Element {
  const cityLine = [[account.city, account.state].filter(Boolean).join(', '), account.zip_code]
    .filter(Boolean)
    .join(' ');
  const lines = [account.address ?? '', cityLine].filter((line) => line !== '');
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <StatusBadge status={account.status} />
        <AccountTypeBadge type={account.account_type} />
      </div>
      <Suspension account={account} />
      <AccountActions account={account} />
      <DetailList>
        <Detail name={text.slug} wide>
          <span translate="no" className="font-mono text-[0.8125rem]">
            {account.slug || accountListText.none}
          </span>
        </Detail>
        {lines.length > 0 && (
          <Detail name={text.address}>
            <address className="not-italic">
              {lines.map((line) => (
                <span key={line} className="block">
                  <bdi translate="no">{line}</bdi>
                </span>
              ))}
            </address>
          </Detail>
        )}
        <Detail name={text.users}>{account.active_members ?? 0}</Detail>
        <Detail name={text.created}>
          <TimeWithTooltip value={account.created_at} />
        </Detail>
        <Detail name={text.updated}>
          <TimeWithTooltip value={account.updated_at} relative="past" />
        </Detail>
      </DetailList>
      <AccountCopy account={account} address={lines} />
      <MembersAndActivity account={account} />
    </>
  );
}

/** For administrators: the service rejects other users. */
function Suspension({ account }: { account: AccountRow }): React.JSX.Element | null {
  const isShown = useIsAdministrator().state === 'yes' && account.status === 'suspended';
  const { data } = useQuery({ ...accountDetailsQuery(account), ...enabledIf(isShown) });
  const suspension = isShown ? data?.suspension : undefined;
  if (suspension === undefined || suspension === null) return null;
  const by = suspension.suspended_by;
  return (
    <Alert
      title={by === null ? accountPanelText.status.suspended : accountPanelText.status.suspendedBy(by)}
      variant="warning"
    >
      <p>
        <bdi translate="no">{suspension.reason}</bdi>
      </p>
      <p className="text-muted">
        <TimeWithTooltip value={suspension.suspended_at} relative="past" />
      </p>
    </Alert>
  );
}

/** For administrators: the service rejects other users. */
function MembersAndActivity({ account }: { account: AccountRow }): React.JSX.Element | null {
  if (useIsAdministrator().state !== 'yes' || !hasFeature('extensions')) return null;
  return <PanelTabs account={account} />;
}

/** Counts what the tab lists, which includes suspended members. @param active number of active members */
const formatMemberCount = (listed: readonly AccountMembersResponse[] | undefined, active: number): string => {
  if (listed === undefined) return formatCount(active);
  const count = listed.reduce((sum, { members }) => sum + members.length, 0);
  const hasMore = listed.at(-1)?.next !== null;
  return hasMore ? `${formatCount(Math.max(count, active))}+` : formatCount(count);
};

function PanelTabs({ account }: { account: AccountRow }): React.JSX.Element {
  const { id, updated_at: updated, active_members: members, status } = account;
  const { tab } = useUrlState('/admin/accounts', accountsSearchParams).search;
  const filter = useMemo(() => ({ record: id }), [id]);
  const { data: contacts } = useQuery(contactsQuery(id));
  const { data: invitations } = useQuery(memberInvitationsQuery(id));
  // The list in the tab reads the members.
  const { data: listed } = useInfiniteQuery({ ...membersQuery(id), ...enabledIf(false) });
  // A change of the account, its status, its members, their invitations or its contacts is a new entry.
  const changes = [listed?.pages[0], invitations, contacts].map((list) => list?.changes ?? 0);
  // Also a change by another administrator, and an undo in the activity.
  const states = listed?.pages.flatMap((page) =>
    page.members.map((member) => [member.status, member.ends_at]),
  );
  const version = [updated, members, status, ...changes, states].join(' ');
  const activity = useActivity(filter, { version });
  const { entries, hasMore } = activity;
  return (
    <Tabs
      label={accountPanelText.tabs}
      initial={tab}
      keepMounted
      tabs={[
        {
          value: 'members',
          label: accountPanelText.members,
          count: formatMemberCount(listed?.pages, members ?? 0),
          content: <AccountMembers open account={account} fallback={<Skeleton className="h-24 w-full" />} />,
        },
        {
          value: 'contacts',
          label: accountPanelText.contacts,
          count: contacts && formatCount(contacts.contacts.length),
          content: <AccountContacts open account={account} fallback={<Skeleton className="h-24 w-full" />} />,
        },
        {
          value: 'activity',
          label: accountPanelText.activity.title,
          count: entries && `${formatCount(entries.length)}${hasMore ? '+' : ''}`,
          content: (
            <ActivityList
              label={accountPanelText.activity.title}
              entries={entries}
              filter={filter}
              error={activity.error}
              fetching={activity.fetching}
              hasMore={hasMore}
              onMore={activity.loadMore}
              onRetry={activity.retry}
              empty={<p className="text-sm text-muted">{accountPanelText.activity.empty}</p>}
            />
          ),
        },
      ]}
    />
  );
}
