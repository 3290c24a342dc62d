/** Under the list: how high it is, and the specification's static page text. */
import { useId } from 'react';
import { Select } from '../../ui/select.tsx';
import { type ListHeight, listHeights } from './accounts-search.ts';
import { accountsText as text } from './accounts-text.ts';

interface AccountsFooterProps {
  height: ListHeight;
  onHeightChange: (height: ListHeight) => void;
  /** Accounts that pass the filters; undefined until known. */
  total: number | undefined;
}

/** Paging is not applied (specification section 2): the choice sets how many rows are in view at once. */
export function AccountsFooter({ height, onHeightChange, total }: AccountsFooterProps): React.JSX.Element {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
      <div className="flex items-center gap-2">
        <label htmlFor={id}>{text.rowsPerPage}</label>
        <Select
          id={id}
          options={listHeights.map((each) => ({ value: String(each), label: String(each) }))}
          value={String(height)}
          onChange={(event) => {
            const chosen = listHeights.find((each) => String(each) === event.target.value);
            if (chosen !== undefined) onHeightChange(chosen);
          }}
          boxClassName="w-20"
        />
      </div>
      <p aria-live="polite">{total === undefined ? '' : text.page(total)}</p>
    </div>
  );
}
