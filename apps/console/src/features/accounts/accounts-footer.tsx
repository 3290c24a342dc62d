/** Under the list: how high it is, and the specification's static page text. */
import { useId } from 'react';
import { cx } from '../../ui/cx.ts';
import { Select } from '../../ui/select.tsx';
import { type RowsPerPage, rowsPerPageOptions } from './accounts-search-params.ts';
import { accountsText as text } from './accounts-text.ts';

interface AccountsFooterProps {
  height: RowsPerPage;
  onHeightChange: (height: RowsPerPage) => void;
  /** Accounts that pass the filters; undefined until known. */
  total: number | undefined;
}

/** Paging is not applied (specification section 2): the choice sets how many rows are in view at once. */
export function AccountsFooter({ height, onHeightChange, total }: AccountsFooterProps): React.JSX.Element {
  const id = useId();
  return (
    <div
      // Where the page scrolls, it stays in view at the lower end of the window.
      className={cx(
        'flex flex-wrap items-center justify-between gap-2 text-xs text-muted sm:text-sm',
        'peer-data-page-scrolls:sticky peer-data-page-scrolls:bottom-0 peer-data-page-scrolls:z-20',
        // As high as elsewhere: the list would scroll in turns with the page.
        'peer-data-page-scrolls:-my-3 peer-data-page-scrolls:bg-background peer-data-page-scrolls:py-3',
        'peer-data-page-scrolls:shadow-[0_-1px_var(--border)]',
      )}
    >
      <div className="flex items-center gap-2">
        <label htmlFor={id}>{text.rowsPerPage}</label>
        <Select
          id={id}
          options={rowsPerPageOptions.map((each) => ({ value: String(each), label: String(each) }))}
          value={String(height)}
          onChange={(event) => {
            const chosen = rowsPerPageOptions.find((each) => String(each) === event.target.value);
            if (chosen !== undefined) onHeightChange(chosen);
          }}
          boxClassName="w-20"
        />
      </div>
      <p aria-live="polite">{total === undefined ? '' : text.page(total)}</p>
    </div>
  );
}
