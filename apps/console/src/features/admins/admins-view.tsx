/** The View button of the Admins screen: search, status filter, and the second-factor requirement. */
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import type { InvitationRow } from '@lanternrock/contract/rows';
import { type ChangeUrlState, maxSearchLength } from '../../shared/url-state.ts';
import { Button, buttonStyle } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { useDebouncedSearchText } from '../../ui/use-debounced-search-text.ts';
import { type AdminsFilter, isFiltered } from './administrators-filter.ts';
import { type adminsSearchParams, statusFilters } from './admins-search-params.ts';
import { adminsViewText as text } from './admins-text.ts';
import { SelectedActions } from './selected-actions.tsx';
import type { InvitationRun } from './use-invitation-run.ts';

interface AdminsViewProps {
  filter: AdminsFilter;
  onChange: ChangeUrlState<typeof adminsSearchParams>;
  /** The selected invitations that are pending or expired. */
  selected: readonly InvitationRow[];
  run: InvitationRun;
  onSecondFactor: () => void;
}

const options = statusFilters
  .filter((status) => status !== 'uninvited' || hasFeature('extensions'))
  .map((status) => ({ value: status, label: text.statuses[status] }));

export function AdminsView({
  filter,
  onChange,
  selected,
  run,
  onSecondFactor,
}: AdminsViewProps): React.JSX.Element {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useDebouncedSearchText(filter.search ?? '', (q) =>
    onChange({ q }, { replace: true }),
  );
  return (
    <Popover
      title={text.title}
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="outline">
          {text.title}
          {isFiltered(filter) && <span className="sr-only">{text.filtered}</span>}
        </Button>
      }
    >
      <SearchInput
        value={search}
        onValueChange={setSearch}
        placeholder={text.search}
        maxLength={maxSearchLength}
      />
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-sm font-medium">
          {text.status}
        </label>
        <Select
          id={id}
          value={filter.status ?? ''}
          options={[{ value: '', label: text.all }, ...options]}
          onChange={(event) =>
            onChange({ show: statusFilters.find((status) => status === event.target.value) })
          }
        />
      </div>
      <SelectedActions selected={selected} run={run} onStart={() => setOpen(false)} />
      <Button
        variant="outline"
        size="sm"
        onClick={() => {
          setOpen(false);
          print();
        }}
      >
        {text.print}
      </Button>
      {hasFeature('extensions') && (
        <>
          <Link
            to="/admin/platform-admins/invite-list"
            className={buttonStyle({ variant: 'outline', size: 'sm' })}
          >
            {text.inviteList}
          </Link>
          <Button
            variant="outline"
            size="sm"
            onClick={() => {
              setOpen(false);
              onSecondFactor();
            }}
          >
            {text.secondFactor}
          </Button>
        </>
      )}
    </Popover>
  );
}
