/** The columns of the account list, each in one place, and the badge of the type. */
import type { AccountType } from '@lanternrock/contract/account-types';
import type { AccountRow } from '@lanternrock/contract/rows';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/column.tsx';
import { cx } from '../../ui/cx.ts';
import { RowLink } from '../../ui/record-link.tsx';
import { isUnusualStatus, StatusBadge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { accountListText as text } from './account-list-text.ts';

/** The types differ in text and style. */
export function AccountTypeBadge({ type }: { type: AccountType }): React.JSX.Element {
  return (
    <Badge shape="tag" variant={type === 'enterprise' ? 'secondary' : 'outline'}>
      {text.types[type] ?? type}
    </Badge>
  );
}

/** `City, State`, or one of them. */
const formatPlace = ({ city, state }: AccountRow): string => [city, state].filter(Boolean).join(', ');

/** The values of the columns that a card has no room for. */
function CardDetails({ account }: { account: AccountRow }): React.JSX.Element {
  const place = formatPlace(account);
  const members = account.active_members ?? 0;
  return (
    <span className="@min-[48rem]:hidden print:hidden">
      {text.types[account.account_type] ?? account.account_type} ·{' '}
      {place !== '' && (
        <>
          <bdi translate="no">{place}</bdi> ·{' '}
        </>
      )}
      {members > 0 && `${text.userCount(members)} · `}
    </span>
  );
}

interface NameCellProps {
  account: AccountRow;
  onOpen: () => void;
}

function NameCell({ account, onOpen }: NameCellProps): React.JSX.Element {
  const hasBadge = isUnusualStatus(account.status);
  return (
    <div className="items-center gap-2 @min-[48rem]:in-data-compact:flex">
      <span className="flex min-w-0 items-center gap-2">
        <RowLink
          name={account.name}
          href={`/admin/accounts?account=${encodeURIComponent(account.id)}`}
          onOpen={onOpen}
          className={cx(
            'leading-5 not-print:@max-[48rem]:not-in-data-compact:line-clamp-2 @max-[48rem]:not-in-data-compact:whitespace-normal',
            !hasBadge && 'grow',
          )}
        />
        {hasBadge && <StatusBadge status={account.status} size="sm" />}
      </span>
      <p className="truncate text-2xs text-muted">
        <CardDetails account={account} />
        <Time value={account.created_at} />
      </p>
    </div>
  );
}

export const accountColumns: readonly Column<AccountRow>[] = [
  {
    key: 'name',
    header: text.columns.name,
    width: 'w-auto',
    skeleton: 'w-56',
    sort: 'name',
    main: true,
    cell: (account, open) => <NameCell account={account} onOpen={open} />,
  },
  {
    key: 'type',
    header: text.columns.type,
    width: 'w-32',
    skeleton: 'w-20',
    sort: 'type',
    hiddenBelow: '48rem',
    cell: ({ account_type: type }) => <AccountTypeBadge type={type} />,
  },
  // Accounts have no subtypes yet.
  {
    key: 'subtype',
    header: text.columns.subtype,
    width: 'w-24',
    skeleton: 'w-4',
    className: 'text-muted',
    hiddenBelow: '48rem',
    cell: () => text.none,
  },
  {
    key: 'users',
    header: text.columns.users,
    width: 'w-20',
    skeleton: 'w-6',
    hiddenBelow: '48rem',
    cell: ({ active_members: count }) => count ?? 0,
  },
  {
    key: 'contact',
    header: text.columns.contact,
    width: 'w-48',
    skeleton: 'w-32',
    hiddenBelow: '48rem',
    text: (account) => formatPlace(account) || text.none,
  },
  {
    key: 'open',
    header: text.columns.open,
    headerContent: <span className="sr-only">{text.columns.open}</span>,
    width: 'w-14',
    skeleton: 'w-4',
    className: 'pr-2 pl-2 text-right',
    print: false,
    cell: (account, open) => (
      <button
        type="button"
        // The link in the main column is the only tab stop of the row.
        tabIndex={-1}
        aria-label={text.open(account.name)}
        onClick={open}
        className="inline-flex size-8 in-data-compact:size-7 items-center justify-center rounded-md text-muted group-hover:text-foreground hover:bg-border"
      >
        <ChevronRight aria-hidden className="size-4" />
      </button>
    ),
  },
];
