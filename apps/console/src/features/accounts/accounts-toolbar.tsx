/** Search box, filters and view button of the account list. */
import { type AccountType, accountTypes } from '@lanternrock/contract/account-types';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { maxSearchLength } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { useIsCompact } from '../../ui/row-height.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { accountListText as text } from './account-list-text.ts';
import type { ViewMenuProps } from './view-menu.tsx';

const ViewMenu = lazyOverlay(async () => (await import('./view-menu.tsx')).ViewMenu);

interface AccountsToolbarProps {
  search: string;
  onSearchChange: (text: string) => void;
  type: AccountType | undefined;
  onTypeChange: (type: AccountType | undefined) => void;
  /** The button at the right. */
  children: ReactNode;
}

const all = { value: 'all', label: text.all } as const;
const typeOptions = [all, ...accountTypes.map((type) => ({ value: type, label: text.types[type] }))];

export function AccountsToolbar({
  search,
  onSearchChange,
  type,
  onTypeChange,
  children,
}: AccountsToolbarProps): React.JSX.Element {
  return (
    <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap print:hidden">
      <SearchInput
        value={search}
        onValueChange={onSearchChange}
        label={text.searchLabel}
        placeholder={text.searchPlaceholder}
        maxLength={maxSearchLength}
        className="col-span-2 sm:max-w-80 sm:min-w-56 sm:flex-1"
      />
      <Filter
        label={text.typeFilter}
        className="sm:w-36"
        options={typeOptions}
        value={type ?? all.value}
        onChange={(event) => onTypeChange(accountTypes.find((each) => each === event.target.value))}
      />
      {/* A placeholder without effect: accounts have no subtypes yet. */}
      <Filter label={text.subtypeFilter} className="sm:w-24" options={[all]} defaultValue={all.value} />
      {children}
    </div>
  );
}

interface FilterProps extends Omit<ComponentProps<typeof Select>, 'id' | 'boxClassName'> {
  label: string;
}

/** The select is not inside the label, because its options would become part of its accessible name. */
function Filter({ label, className, ...select }: FilterProps): React.JSX.Element {
  const id = useId();
  return (
    <div className="grid gap-1 sm:flex sm:items-center sm:gap-2">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <Select {...select} id={id} boxClassName={className} />
    </div>
  );
}

type ViewButtonProps = Omit<ViewMenuProps, 'open' | 'onOpenChange' | 'trigger' | 'changed'>;

export function ViewButton(props: ViewButtonProps): React.JSX.Element {
  const [open, setOpen] = useState(false);
  const { sort, status } = props.filter;
  const changed = [sort, status, useIsCompact()].filter(Boolean).length;
  return (
    <div className="col-span-2 justify-self-end sm:ml-auto">
      <ViewMenu
        {...props}
        open={open}
        onOpenChange={setOpen}
        changed={changed}
        trigger={<Trigger changed={changed} />}
        fallback={
          <Trigger
            changed={changed}
            aria-haspopup="dialog"
            aria-expanded={open}
            onPointerEnter={ViewMenu.preload}
            onFocus={ViewMenu.preload}
            onClick={() => setOpen(true)}
          />
        }
      />
    </div>
  );
}

function Trigger({
  changed,
  ...rest
}: ComponentProps<typeof Button> & { changed: number }): React.JSX.Element {
  return (
    <Button variant="outline" {...rest}>
      {text.view}
      {changed > 0 && (
        <span className="rounded-full bg-primary px-1.5 text-xs text-primary-foreground">
          {changed}
          <span className="sr-only"> {text.viewChanged}</span>
        </span>
      )}
    </Button>
  );
}
