/** The filter of the emergency sheet, and on paper the sentence that states it. */
import { accountTypes } from '@lanternrock/contract/account-types';
import { statusFilters } from '@lanternrock/contract/account-view';
import type { AccountFilterParams } from '../../shared/account-filter-params.ts';
import { maxSearchLength } from '../../shared/url-state.ts';
import { Field } from '../../ui/field.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { useDebouncedSearchText } from '../../ui/use-debounced-search-text.ts';
import { sheetText } from './handover-text.ts';

const text = sheetText.filter;

interface SheetFilterBarProps {
  filter: AccountFilterParams;
  onChange: (next: AccountFilterParams) => void;
}

const toOptions = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
) => [{ value: '', label: text.all }, ...values.map((value) => ({ value, label: labels[value] }))];

export function SheetFilterBar({ filter, onChange }: SheetFilterBarProps): React.JSX.Element {
  const [search, setSearch] = useDebouncedSearchText(filter.q ?? '', (q) => onChange({ q }));
  return (
    <div className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap print:hidden">
      <SearchInput
        value={search}
        onValueChange={setSearch}
        label={text.search}
        placeholder={text.placeholder}
        maxLength={maxSearchLength}
        className="col-span-2 sm:max-w-80 sm:min-w-56 sm:flex-1"
      />
      <Field
        label={text.type}
        className="sm:w-36"
        render={(control) => (
          <Select
            {...control}
            options={toOptions(accountTypes, text.types)}
            value={filter.type ?? ''}
            onChange={({ target }) => onChange({ type: accountTypes.find((each) => each === target.value) })}
          />
        )}
      />
      <Field
        label={text.status}
        className="sm:w-36"
        render={(control) => (
          <Select
            {...control}
            options={toOptions(statusFilters, text.statuses)}
            value={filter.status ?? ''}
            onChange={({ target }) =>
              onChange({ status: statusFilters.find((each) => each === target.value) })
            }
          />
        )}
      />
    </div>
  );
}

/** A sheet of some accounts must not look like one of all. */
export function SheetFilterNote({ filter }: { filter: AccountFilterParams }): React.JSX.Element | null {
  const { q, wide, type, status } = filter;
  const facts = [
    q !== undefined && `${text.text}: ${wide ? text.wide(q) : q}`,
    type && `${text.type}: ${text.types[type]}`,
    status && `${text.status}: ${text.statuses[status]}`,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <p className="text-sm wrap-anywhere">
      {text.only} <bdi>{facts.join(', ')}</bdi>
    </p>
  );
}
