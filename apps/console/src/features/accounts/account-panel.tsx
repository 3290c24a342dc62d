/** The side panel of one account. Not modal, so other rows of the list can be opened while it is open. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { enabledIf } from '../../api/enabled-if.ts';
import { Detail, DetailList } from '../../ui/detail-list.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { DetailPanel } from '../../ui/detail-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { StatusBadge } from './account-row.tsx';
import { AccountTypeBadge } from './account-type-badge.tsx';
import { accountQuery } from './accounts-queries.ts';
import { accountsText } from './accounts-text.ts';
import { accountText } from './account-text.ts';

const text = accountText.panel;

interface AccountPanelProps {
  open: boolean;
  /** ID of the account; undefined while closed. */
  id: string | undefined;
  /** The account, if the list has loaded it. */
  account: AccountRow | undefined;
  /** False while the list is loading, which can still load the account. */
  listLoaded: boolean;
  onClose: () => void;
}

export function AccountPanel({
  open,
  id,
  account,
  listLoaded,
  onClose,
}: AccountPanelProps): React.JSX.Element {
  const query = useQuery({
    ...accountQuery(id ?? ''),
    ...enabledIf(id !== undefined && account === undefined && listLoaded),
  });
  return (
    <DetailPanel
      open={open}
      id={id}
      record={account ?? query.data ?? undefined}
      nameOf={(row) => row.name}
      unnamed={text.unnamed}
      rowAttribute="data-account"
      onClose={onClose}
      fallback={<MissingAccount query={query} />}
    >
      {(row) => <Details account={row} />}
    </DetailPanel>
  );
}

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
  const lines = [account.address, cityLine].filter(
    (line) => line !== null && line !== undefined && line !== '',
  );
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <AccountTypeBadge type={account.account_type} />
        <StatusBadge status={account.status} />
      </div>
      <DetailList>
        <Detail name={text.slug}>
          <span className="font-mono text-[0.8125rem]">{account.slug || accountsText.none}</span>
        </Detail>
        {lines.length > 0 && (
          <Detail name={text.address}>
            <address className="not-italic">
              {lines.map((line) => (
                <span key={line} className="block">
                  <bdi>{line}</bdi>
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
          <TimeWithTooltip value={account.updated_at} relative />
        </Detail>
      </DetailList>
    </>
  );
}
