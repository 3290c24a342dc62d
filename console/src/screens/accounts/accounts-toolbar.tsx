/** Search and filters above the list. */
import { type AccountType, accountTypes } from '@lanternrock/contract/accounts';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { accountsText as text } from './accounts-text.ts';

interface AccountsToolbarProps {
  search: string;
  onSearchChange: (text: string) => void;
  type: AccountType | undefined;
  onTypeChange: (type: AccountType | undefined) => void;
}

const all = { value: 'all', label: text.all } as const;
const typeOptions = [all, ...accountTypes.map((type) => ({ value: type, label: text.types[type] }))];

export function AccountsToolbar({ search, onSearchChange, type, onTypeChange }: AccountsToolbarProps): React.JSX.Element {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SearchInput
        value={search}
        onValueChange={onSearchChange}
        label={text.searchLabel}
        placeholder={text.searchPlaceholder}
        className="w-full sm:w-80"
      />
      <label className="flex items-center gap-2 text-sm text-muted">
        {text.typeFilter}
        <Select
          options={typeOptions}
          value={type ?? all.value}
          onChange={(event) => onTypeChange(accountTypes.find((each) => each === event.target.value))}
          boxClassName="w-36"
        />
      </label>
      {/* Specification section 2: it holds only 'All' and has no effect. */}
      <label className="flex items-center gap-2 text-sm text-muted">
        {text.subtypeFilter}
        <Select options={[all]} defaultValue={all.value} boxClassName="w-24" />
      </label>
    </div>
  );
}
