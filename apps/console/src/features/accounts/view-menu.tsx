/** The view menu: order, status filter and row height of the list, export and print. */
import {
  accountSorts,
  defaultAccountOrder,
  getUsualDirection,
  isTimeSort,
  sortDirections,
  statusFilters,
  tryParseOrder,
} from '@lanternrock/contract/account-view';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { useIsAdministrator } from '../../session/use-session.tsx';
import { Button, buttonStyle } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Popover } from '../../ui/popover.tsx';
import { maxPrintedRows } from '../../ui/record-table.tsx';
import { setCompactRows, useIsCompact } from '../../ui/row-height.ts';
import { saveFile } from '../../ui/save-file.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { toast } from '../../ui/toast.ts';
import type { AccountFilter } from './account-filter.ts';
import { firstPageQuery, laterPageQuery } from './accounts-list.ts';
import { type AccountsSearchParams, formatOrder } from './accounts-search-params.ts';
import { orderText } from './account-list-text.ts';
import { viewMenuText as text } from './view-menu-text.ts';

export interface ViewMenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: ReactElement;
  /** The filter and order in the URL. */
  filter: AccountFilter;
  onChange: (next: AccountsSearchParams) => void;
  /** Number of accounts in the list. */
  total: number;
  /** True if all rows of the list are loaded. */
  complete: boolean;
  /** Number of settings that differ from the defaults. */
  changed: number;
}

export function ViewMenu(props: ViewMenuProps): React.JSX.Element {
  const { open, onOpenChange, trigger, changed, onChange: change } = props;
  const close = (): void => onOpenChange(false);
  const reset = (): void => {
    change({ sort: undefined, status: undefined });
    setCompactRows(false);
    close();
  };
  return (
    <Popover trigger={trigger} title={text.title} align="end" open={open} onOpenChange={onOpenChange}>
      <ViewSettings filter={props.filter} onChange={change} />
      <div className="grid grid-cols-2 gap-2 border-t border-border pt-3">
        <ExportButton filter={props.filter} onStart={close} />
        <PrintButton {...props} onReady={close} />
        <ExtensionLinks filter={props.filter} onStart={close} />
        {changed > 0 && (
          <Button variant="secondary" size="sm" className="col-span-2" onClick={reset}>
            {text.reset}
          </Button>
        )}
      </div>
      {!props.complete && props.total > maxPrintedRows && (
        <p className="text-xs text-muted">{text.printLimit(maxPrintedRows)}</p>
      )}
    </Popover>
  );
}

function ViewSettings({ filter, onChange }: Pick<ViewMenuProps, 'filter' | 'onChange'>): React.JSX.Element {
  const order = tryParseOrder(filter.sort ?? '') ?? defaultAccountOrder;
  const directions = isTimeSort(order.sort) ? orderText.timeDirections : orderText.directions;
  const isCompact = useIsCompact();
  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2">
      <Setting
        label={orderText.sortBy}
        options={accountSorts.map((value) => ({ value, label: orderText.sorts[value] }))}
        value={order.sort}
        onChange={(value) => {
          const sort = accountSorts.find((each) => each === value) ?? order.sort;
          onChange({ sort: formatOrder({ sort, direction: getUsualDirection(sort) }) });
        }}
      />
      <Setting
        label={text.direction}
        options={sortDirections.map((value) => ({ value, label: directions[value] }))}
        value={order.direction}
        onChange={(value) => onChange({ sort: formatOrder(tryParseOrder(`${order.sort}.${value}`)) })}
      />
      <Setting
        label={orderText.status}
        options={(['all', ...statusFilters] as const).map((value) => ({
          value,
          label: orderText.statuses[value],
        }))}
        value={filter.status ?? 'all'}
        onChange={(value) => onChange({ status: statusFilters.find((each) => each === value) })}
      />
      <Setting
        label={text.density}
        options={(['comfortable', 'compact'] as const).map((value) => ({
          value,
          label: text.densities[value],
        }))}
        value={isCompact ? 'compact' : 'comfortable'}
        onChange={(value) => setCompactRows(value === 'compact')}
      />
    </div>
  );
}

const linkStyle = buttonStyle({ variant: 'outline', size: 'sm' });

/** Imports, the contacts and the emergency sheet, which other backends lack. */
function ExtensionLinks({ filter, onStart }: ExportButtonProps): ReactElement | null {
  const { state } = useIsAdministrator();
  if (state === 'no' || !hasFeature('extensions')) return null;
  const { text: q, wide, type, status } = filter;
  return (
    <>
      <Link to="/admin/accounts/import" className={cx(linkStyle, 'col-span-2')}>
        {text.importFile}
      </Link>
      <ExportContactsButton filter={filter} onStart={onStart} />
      <Link to="/admin/accounts/import-contacts" className={linkStyle}>
        {text.importContacts}
      </Link>
      <Link
        to="/admin/handover/sheet"
        search={{ q: q === '' ? undefined : q, wide, type, status }}
        className={cx(linkStyle, 'col-span-2')}
      >
        {text.sheet}
      </Link>
    </>
  );
}

interface SettingProps {
  label: string;
  options: readonly SelectOption[];
  value: string;
  onChange: (value: string) => void;
}

function Setting({ label, onChange, ...select }: SettingProps): React.JSX.Element {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <Select {...select} id={id} onChange={(event) => onChange(event.target.value)} />
    </>
  );
}

interface ExportButtonProps {
  filter: AccountFilter;
  onStart: () => void;
}

/** The input of an export: the list as it is filtered and sorted. */
const toExportInput = ({ text: search, wide, type, status, sort }: AccountFilter) => ({
  search,
  wide,
  type,
  status,
  ...(tryParseOrder(sort ?? '') ?? defaultAccountOrder),
});

/** Exports the list as it is filtered and sorted, with all its rows. */
function ExportButton({ filter, onStart }: ExportButtonProps): React.ReactNode {
  const isAdministrator = useIsAdministrator().state === 'yes';
  if (!hasFeature('extensions') || !isAdministrator) return null;
  const start = (): void => {
    onStart();
    const input = toExportInput(filter);
    void saveFile({
      action: `export-accounts ${JSON.stringify(input)}`,
      fileName: 'accounts.csv',
      load: (options) => callFunction('export-accounts', input, options),
      text: { running: text.exporting, failed: text.exportFailed },
    });
  };
  return (
    <Button variant="outline" size="sm" onClick={start}>
      {text.export}
    </Button>
  );
}

/** Exports the contacts of the list, in a file that an import reads. */
function ExportContactsButton({ filter, onStart }: ExportButtonProps): React.JSX.Element {
  const start = (): void => {
    onStart();
    const input = toExportInput(filter);
    void saveFile({
      action: `export-contacts ${JSON.stringify(input)}`,
      fileName: 'contacts.csv',
      load: (options) => callFunction('export-contacts', input, options),
      text: { running: text.exportingContacts, failed: text.exportContactsFailed },
    });
  };
  return (
    <Button variant="outline" size="sm" onClick={start}>
      {text.exportContacts}
    </Button>
  );
}

interface PrintButtonProps extends Pick<ViewMenuProps, 'filter' | 'complete'> {
  onReady: () => void;
}

function PrintButton({ filter, complete, onReady }: PrintButtonProps): React.JSX.Element {
  const client = useQueryClient();
  const [pending, setPending] = useState(false);
  const unmounted = useRef(false);
  useEffect(() => {
    unmounted.current = false;
    return () => {
      unmounted.current = true;
    };
  }, []);
  const printList = async (): Promise<void> => {
    setPending(true);
    try {
      if (!complete) await loadPrintedRows(client, filter);
      // The user has closed the menu or left the screen.
      if (unmounted.current) return;
      onReady();
      print();
    } catch (error) {
      toast({
        action: 'print-accounts',
        title: text.printFailed,
        description: errorMessage(error),
        variant: 'destructive',
      });
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      variant="outline"
      size="sm"
      pending={pending}
      pendingLabel={text.preparing}
      onClick={() => void printList()}
    >
      {text.print}
    </Button>
  );
}

/** Loads the pages into the cache, from which the list reads its rows. @throws ApiError */
const loadPrintedRows = async (client: QueryClient, filter: AccountFilter): Promise<void> => {
  const first = await client.query({ ...firstPageQuery(filter), staleTime: 'static' });
  const last = Math.min(first.total ?? 0, maxPrintedRows);
  for (let index = 1; index * first.rows.length < last && first.rows.length > 0; index += 1)
    await client.query({ ...laterPageQuery(filter, index, first), staleTime: 'static' });
};
