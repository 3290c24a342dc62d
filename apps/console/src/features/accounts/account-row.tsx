/** One account in the list. */
import type { AccountRow as Account } from '@lanternrock/contract/rows';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { memo } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { isModifiedClick, isRowActivation } from '../../ui/row-activation.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Td } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AccountTypeBadge } from './account-type-badge.tsx';
import { accountsText as text } from './accounts-text.ts';

/** Width classes of the columns, shared with the header. */
export const columnWidths = ['w-auto', 'w-32', 'w-24', 'w-20', 'w-48', 'w-14'] as const;

/** Returns `City, State`, one of them if the other is missing, or `-`. */
const contactText = (account: Account): string =>
  [account.city, account.state]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .join(', ') || text.none;

interface AccountRowProps {
  account: Account;
  /** 0-based position in the whole list. */
  index: number;
  /** True if the panel of the account is open. */
  open: boolean;
  /** True for a short time after the account was created. */
  created: boolean;
  onOpen: (id: string) => void;
}

/** A click on the row opens the panel. The name is a link, for the keyboard and for opening a new tab. */
export const AccountTableRow = memo(function AccountRow({
  account,
  index,
  open,
  created,
  onOpen,
}: AccountRowProps) {
  // Other backends may have rows without a status.
  const hasOtherStatus = Boolean(account.status) && account.status !== 'active';
  return (
    <tr
      data-account={account.id}
      data-created={created ? '' : undefined}
      // The header is row 1.
      aria-rowindex={index + 2}
      aria-current={open}
      onClick={(event) => {
        if (isRowActivation(event)) onOpen(account.id);
      }}
      className={cx(
        'group cursor-pointer transition-colors duration-150 hover:bg-subtle',
        open && 'bg-subtle',
        created && 'bg-success-subtle',
      )}
    >
      <Td>
        <div className="in-data-compact:flex in-data-compact:items-center in-data-compact:gap-2">
          <span className="flex min-w-0 items-center gap-2">
            <a
              href={`/admin/accounts?account=${encodeURIComponent(account.id)}`}
              onClick={(event) => {
                if (isModifiedClick(event)) return;
                event.preventDefault();
                onOpen(account.id);
              }}
              title={account.name}
              // A right-to-left name is aligned right and truncated at its end.
              dir="auto"
              translate="no"
              className={cx(
                'scroll-mt-(--covered-above) scroll-mb-(--covered-below) truncate rounded-sm leading-5 font-medium text-foreground -outline-offset-1 group-hover:underline underline-offset-2',
                !hasOtherStatus && 'grow',
              )}
            >
              {account.name}
            </a>
            {hasOtherStatus && <StatusBadge status={account.status} size="sm" />}
          </span>
          <Time value={account.created_at} className="block truncate text-2xs text-muted" />
        </div>
      </Td>
      <Td>
        <AccountTypeBadge type={account.account_type} />
      </Td>
      <Td className="text-muted">{text.none}</Td>
      <Td>{account.active_members ?? 0}</Td>
      <Td dir="auto" translate="no" title={contactText(account)}>
        {contactText(account)}
      </Td>
      <Td fit="action">
        <button
          type="button"
          // The link in the first cell is the only tab stop of the row.
          tabIndex={-1}
          aria-label={text.open(account.name)}
          onClick={() => onOpen(account.id)}
          className="inline-flex size-8 in-data-compact:size-7 items-center justify-center rounded-md text-muted group-hover:text-foreground hover:bg-border"
        >
          <ChevronRight aria-hidden className="size-4" />
        </button>
      </Td>
    </tr>
  );
});

/** A row whose page is loading. */
export function AccountRowSkeleton({ index }: { index: number }): React.JSX.Element {
  return (
    <tr aria-rowindex={index + 2} data-skeleton-row="">
      <Td colSpan={columnWidths.length}>
        <Skeleton className="h-3.5 w-full" />
      </Td>
    </tr>
  );
}

interface StatusBadgeProps {
  status: string;
  size?: 'sm' | 'md';
}

export function StatusBadge({ status, size = 'md' }: StatusBadgeProps): React.JSX.Element {
  return (
    <Badge variant={status === 'active' ? 'secondary' : 'outline'} size={size} className="capitalize">
      {status}
    </Badge>
  );
}
