/** The printed sheet of accounts, administrators and sender: black on white, without secrets. */
import type { SheetAdministrator } from '@lanternrock/contract/handover';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Printer from 'lucide-react/icons/printer';
import { accountFilterParams } from '../../shared/account-filter-params.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { formatDateTime, formatExactTime } from '../../ui/format-time.ts';
import { Button, buttonStyle } from '../../ui/button.tsx';
import { EmailAddress } from '../../ui/email-address.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LoadingScreen } from '../../ui/spinner.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { sheetText as text } from './handover-text.ts';
import { sheetQuery } from './handover-queries.ts';
import { SheetAccounts } from './sheet-accounts.tsx';
import { SheetFilterBar, SheetFilterNote } from './sheet-filter.tsx';
import { Cell, SheetTable } from './sheet-table.tsx';
import './sheet.css';

const columns = text.columns;

export function HandoverSheetScreen(): React.JSX.Element {
  const { search: filter, change } = useUrlState('/admin/handover/sheet', accountFilterParams);
  const query = useQuery({ ...sheetQuery(filter), placeholderData: keepPreviousData });
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
    <div data-sheet aria-busy={query.isPlaceholderData} className="grid grid-cols-1 content-start gap-5">
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
      <SheetFilterBar filter={filter} onChange={(next) => change(next, { replace: true })} />
      <p className="text-sm">{text.printed(formatExactTime(at))}</p>
      <SheetFilterNote filter={data.filter} />
      <section className="grid gap-1.5">
        <h2 className="text-base font-semibold">{text.sender}</h2>
        <p className="text-sm wrap-anywhere">
          {sender === null ? text.noSender : <bdi translate="no">{`${sender.name} <${sender.email}>`}</bdi>}
        </p>
      </section>
      <Administrators administrators={administrators} />
      {truncated && <p className="text-sm">{text.truncated(accounts.length)}</p>}
      <SheetAccounts accounts={accounts} truncated={truncated} />
    </div>
  );
}

function Administrators({
  administrators,
}: {
  administrators: readonly SheetAdministrator[];
}): React.JSX.Element {
  return (
    <SheetTable
      title={text.administrators(administrators.length)}
      names={[columns.name, columns.phone, columns.email, columns.access]}
    >
      <tbody>
        {administrators.map(({ name, phone, phone_text: phoneText, email, ends_at: end }) => (
          <tr key={email}>
            <Cell wrap="names">{name ?? text.noName}</Cell>
            <Cell wrap="words">
              {phone === null ? (
                text.noName
              ) : (
                <a href={`tel:${phone}`} className="whitespace-nowrap tabular-nums">
                  {phoneText}
                </a>
              )}
            </Cell>
            <Cell>
              <EmailAddress>{email}</EmailAddress>
            </Cell>
            <Cell>{end === null ? text.unlimited : text.until(formatDateTime(end))}</Cell>
          </tr>
        ))}
      </tbody>
    </SheetTable>
  );
}
