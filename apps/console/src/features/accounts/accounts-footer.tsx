/** The footer of the account list: the number of visible rows, and a static page text. */
import { useId } from 'react';
import { cx } from '../../ui/cx.ts';
import { Select } from '../../ui/select.tsx';
import { type RowsPerPage, rowsPerPageOptions } from './accounts-search-params.ts';
import { accountsText as text } from './accounts-text.ts';

interface AccountsFooterProps {
  height: RowsPerPage;
  onHeightChange: (height: RowsPerPage) => void;
  /** Number of matching accounts; undefined until known. */
  total: number | undefined;
}

/** The list has no pages. The selection sets the minimum height of the list in rows. */
export function AccountsFooter({ height, onHeightChange, total }: AccountsFooterProps): React.JSX.Element {
  const id = useId();
  return (
    <div
      // Sticky at the bottom of the window if the page scrolls.
      className={cx(
        'flex flex-wrap items-center justify-between gap-2 text-xs text-muted sm:text-sm',
        'peer-data-page-scrolls:sticky peer-data-page-scrolls:bottom-0 peer-data-page-scrolls:z-20 print:static!',
        // Keeps the height of the page. A different height would switch between the two scroll modes
        // endlessly.
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
            const selected = rowsPerPageOptions.find((each) => String(each) === event.target.value);
            if (selected !== undefined) onHeightChange(selected);
          }}
          boxClassName="w-20"
        />
      </div>
      <p aria-live="polite">{total === undefined ? '' : text.page(total)}</p>
    </div>
  );
}
