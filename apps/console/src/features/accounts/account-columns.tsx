/** The columns of the account list, each in one place, and the badge of the type. */
import type { AccountType } from '@lanternrock/contract/account-types';
import type { AccountRow } from '@lanternrock/contract/rows';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/column.tsx';
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

interface NameCellProps {
  account: AccountRow;
  onOpen: () => void;
}

function NameCell({ account, onOpen }: NameCellProps): React.JSX.Element {
  const hasBadge = isUnusualStatus(account.status);
  return (
    <div className="in-data-compact:flex in-data-compact:items-center in-data-compact:gap-2">
      <span className="flex min-w-0 items-center gap-2">
        <RowLink
          name={account.name}
          href={`/admin/accounts?account=${encodeURIComponent(account.id)}`}
          onOpen={onOpen}
          className={hasBadge ? 'leading-5' : 'grow leading-5'}
        />
        {hasBadge && <StatusBadge status={account.status} size="sm" />}
      </span>
      <Time value={account.created_at} className="block truncate text-2xs text-muted" />
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
    cell: ({ account_type: type }) => <AccountTypeBadge type={type} />,
  },
  // Accounts have no subtypes yet.
  {
    key: 'subtype',
    header: text.columns.subtype,
    width: 'w-24',
    skeleton: 'w-4',
    className: 'text-muted',
    cell: () => text.none,
  },
  {
    key: 'users',
    header: text.columns.users,
    width: 'w-20',
    skeleton: 'w-6',
    cell: ({ active_members: count }) => count ?? 0,
  },
  {
    key: 'contact',
    header: text.columns.contact,
    width: 'w-48',
    skeleton: 'w-32',
    // `City, State`, or one of them.
    text: ({ city, state }) => [city, state].filter(Boolean).join(', ') || text.none,
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
