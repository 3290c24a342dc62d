/** The filters of the activity screen. Each change is part of the URL. */
import { activityKinds } from '@lanternrock/contract/activity';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import X from 'lucide-react/icons/x';
import { type ReactNode, useId, useRef } from 'react';
import { activityPeopleQuery } from '../../shared/activity-queries.ts';
import { Button, buttonStyle } from '../../ui/button.tsx';
import { ClearFiltersButton } from '../../ui/clear-filters-button.tsx';
import { DayInput } from '../../ui/day-input.tsx';
import { Input } from '../../ui/input.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import type { ActivitySearchParams } from './activity-search-params.ts';
import { activityScreenText as text } from './activity-screen-text.ts';
import type { FilteredRecord } from './filtered-record.ts';

interface RecordFilterProps {
  search: ActivitySearchParams;
  record: FilteredRecord;
  onChange: (next: ActivitySearchParams) => void;
}

interface ActivityFiltersProps extends RecordFilterProps {
  isFiltered: boolean;
}

const all = '';
const kindOptions: readonly SelectOption[] = [
  { value: all, label: text.allKinds },
  ...activityKinds.map((kind) => ({ value: kind, label: text.kinds[kind] })),
];

export function ActivityFilters(props: ActivityFiltersProps): React.JSX.Element {
  const { search, isFiltered, record, onChange } = props;
  const people = usePersonOptions(search.person);
  return (
    <search
      aria-label={text.filters}
      className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap sm:items-end"
    >
      <Labeled
        label={text.person}
        render={(id) => (
          <Select
            id={id}
            boxClassName="sm:w-52"
            options={people}
            value={search.person ?? all}
            onChange={({ target }) => onChange({ person: target.value || undefined })}
          />
        )}
      />
      <Labeled
        label={text.kind}
        render={(id) => (
          <Select
            id={id}
            boxClassName="sm:w-40"
            options={kindOptions}
            value={search.kind ?? all}
            onChange={({ target }) => onChange({ kind: activityKinds.find((kind) => kind === target.value) })}
          />
        )}
      />
      {(['from', 'to'] as const).map((name) => (
        <Labeled
          key={name}
          label={text[name]}
          render={(id) => (
            <DayInput
              id={id}
              className="sm:w-40"
              value={search[name]}
              onValueChange={(day) => onChange({ [name]: day })}
            />
          )}
        />
      ))}
      <RecordFilter search={search} record={record} onChange={onChange} />
      {isFiltered && (
        <ClearFiltersButton
          variant="ghost"
          size="md"
          onClear={() =>
            onChange({
              person: undefined,
              kind: undefined,
              record: undefined,
              entry: undefined,
              from: undefined,
              to: undefined,
            })
          }
        />
      )}
    </search>
  );
}

/** A record is selected by its name in an entry, or by its ID. */
function RecordFilter({ search, record: found, onChange }: RecordFilterProps): React.JSX.Element {
  const { record } = search;
  const selected = useRef<{ readonly record: string | undefined }>(null);
  /** Focuses the control that replaces the used one. The used one can render again before that. */
  const focusAfterSelect = (control: HTMLElement | null): void => {
    if (control === null || selected.current === null || selected.current.record !== record) return;
    selected.current = null;
    control.focus();
  };
  const select = (next: string | undefined): void => {
    selected.current = { record: next };
    onChange({ record: next });
  };
  if (record !== undefined) {
    const name = found.name ?? record;
    return (
      <div className="col-span-2 flex min-w-0 flex-wrap items-center gap-3">
        <Button
          ref={focusAfterSelect}
          variant="outline"
          className="max-w-full min-w-0"
          title={text.clearRecord}
          aria-label={`${text.onlyRecord(name)}. ${text.clearRecord}`}
          onClick={() => select(undefined)}
        >
          <bdi translate="no" className="truncate">
            {text.onlyRecord(name)}
          </bdi>
          <X aria-hidden />
        </Button>
        <RecordLink id={record} panel={found.panel} />
      </div>
    );
  }
  return (
    <form
      className="col-span-2"
      onSubmit={(event) => {
        event.preventDefault();
        const value = new FormData(event.currentTarget).get('record');
        if (typeof value === 'string' && value.trim() !== '') select(value.trim());
      }}
    >
      <Labeled
        label={text.record}
        render={(id) => (
          <Input
            ref={focusAfterSelect}
            id={id}
            name="record"
            className="sm:w-44"
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
          />
        )}
      />
    </form>
  );
}

interface RecordLinkProps {
  id: string;
  panel: FilteredRecord['panel'];
}

/** Opens the panel of the record on its screen. */
function RecordLink({ id, panel }: RecordLinkProps): React.JSX.Element | null {
  if (panel === null) return null;
  const className = buttonStyle({ variant: 'outline' });
  const label = text.openRecord[panel];
  return panel === 'account' ? (
    <Link to="/admin/accounts" search={{ account: id }} className={className}>
      {label}
    </Link>
  ) : (
    <Link to="/admin/platform-admins" search={{ invitation: id }} className={className}>
      {label}
    </Link>
  );
}

function Labeled({ label, render }: { label: string; render: (id: string) => ReactNode }): React.JSX.Element {
  const id = useId();
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      {render(id)}
    </div>
  );
}

/** Returns the people with entries. A selected person who is not in the list has an option as well. */
function usePersonOptions(selected: string | undefined): readonly SelectOption[] {
  const { data = [] } = useQuery(activityPeopleQuery);
  const options = data.map(({ id, name }) => ({
    value: id,
    label: name ?? text.origins.get(id) ?? text.deletedUser(id),
  }));
  const isListed = selected === undefined || options.some(({ value }) => value === selected);
  return [
    { value: all, label: text.everyone },
    ...options,
    ...(isListed ? [] : [{ value: selected, label: text.origins.get(selected) ?? selected }]),
  ];
}
