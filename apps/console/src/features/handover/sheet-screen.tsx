/** The printed sheet of accounts, administrators and sender: black on white, without secrets. */
import type { SheetAdministrator } from '@lanternrock/contract/handover';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Printer from 'lucide-react/icons/printer';
import { memo } from 'react';
import { formatDateTime, formatExactTime } from '../../ui/format-time.ts';
import { Button, buttonStyle } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { LoadingScreen } from '../../ui/spinner.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { sheetText as text } from './handover-text.ts';
import { sheetQuery } from './handover-queries.ts';
import './sheet.css';

const columns = text.columns;

export function HandoverSheetScreen(): React.JSX.Element {
  const query = useQuery(sheetQuery);
  const { data } = query;
  if (data === undefined && query.isError)
    return (
      <ErrorState
        title={text.loadFailed}
        description={query.error.message}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  if (data === undefined) return <LoadingScreen />;
  const { administrators, accounts, sender, truncated, at } = data;
  return (
    <div data-sheet className="grid grid-cols-1 content-start gap-5">
      <ScreenHeader
        title={text.title}
        description={text.description}
        action={
          <div className="flex flex-wrap gap-2 print:hidden">
            <Link to="/admin/handover" className={buttonStyle({ variant: 'outline' })}>
              {text.back}
            </Link>
            <Button onClick={() => print()}>
              <Printer aria-hidden />
              {text.print}
            </Button>
          </div>
        }
      />
      <p className="text-sm">{text.printed(formatExactTime(at))}</p>
      <section className="grid gap-1.5">
        <h2 className="text-base font-semibold">{text.sender}</h2>
        <p className="text-sm wrap-anywhere">
          {sender === null ? text.noSender : <bdi translate="no">{`${sender.name} <${sender.email}>`}</bdi>}
        </p>
      </section>
      <Administrators administrators={administrators} />
      {truncated && <p className="text-sm">{text.truncated(accounts.length)}</p>}
      <Accounts accounts={accounts} truncated={truncated} />
    </div>
  );
}

function SheetTable({
  title,
  names,
  children,
}: {
  title: string;
  names: readonly string[];
  children: React.ReactNode;
}): React.JSX.Element {
  return (
    <section aria-label={title} tabIndex={0} className="grid grid-cols-1 gap-1.5 overflow-x-auto">
      <h2 className="text-base font-semibold">{title}</h2>
      <table className="w-full border-collapse text-left text-[0.8125rem]">
        {/* Repeated on each printed page. */}
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" className="border-b border-foreground py-1 pr-3 font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

const wraps = { anywhere: 'wrap-anywhere', words: 'wrap-break-word' };

/** @param props `words`: for short values, whose column does not shrink below a word */
const Cell = ({
  wrap = 'anywhere',
  children,
}: {
  wrap?: keyof typeof wraps;
  children: React.ReactNode;
}): React.JSX.Element => (
  <td className={cx('border-b border-border py-1 pr-3 align-top', wraps[wrap])}>
    <bdi translate="no">{children}</bdi>
  </td>
);

function Administrators({
  administrators,
}: {
  administrators: readonly SheetAdministrator[];
}): React.JSX.Element {
  return (
    <SheetTable
      title={text.administrators(administrators.length)}
      names={[columns.name, columns.email, columns.access]}
    >
      {administrators.map(({ name, email, ends_at: end }) => (
        <tr key={email}>
          <Cell>{name ?? text.noName}</Cell>
          <Cell>{email}</Cell>
          <Cell>{end === null ? text.unlimited : text.until(formatDateTime(end))}</Cell>
        </tr>
      ))}
    </SheetTable>
  );
}

interface AccountsProps {
  accounts: readonly AccountRow[];
  truncated: boolean;
}

const Accounts = memo(({ accounts, truncated }: AccountsProps): React.JSX.Element => (
  <SheetTable
    title={text.accounts(accounts.length, truncated)}
    names={[columns.name, columns.type, columns.status, columns.address]}
  >
    {accounts.map((account) => (
      <tr key={account.id}>
        <Cell>{account.name}</Cell>
        <Cell wrap="words">{account.account_type}</Cell>
        <Cell wrap="words">
          <StatusBadge status={account.status} size="sm" variant="outline" />
        </Cell>
        <Cell>{formatAddress(account)}</Cell>
      </tr>
    ))}
  </SheetTable>
));
Accounts.displayName = 'Accounts';

const formatAddress = ({ address, city, state, zip_code: zip }: AccountRow): string =>
  [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ') || text.noName;
