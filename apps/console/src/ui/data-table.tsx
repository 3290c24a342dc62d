/** A table of rows that are all loaded, with optional search, filters and pages. */
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { type ReactNode, useId, useReducer } from 'react';
import { Button } from './button.tsx';
import { ClearFiltersButton } from './clear-filters-button.tsx';
import { RowCells, type Column } from './column.tsx';
import {
  allOption,
  changeTable,
  initialTableState,
  isFiltered,
  type PageSize,
  pageSizes,
  type TableState,
  type TableView,
  selectTableView,
} from './data-table-state.ts';
import { EmptyState } from './empty-state.tsx';
import { SearchInput } from './search-input.tsx';
import { Select, type SelectOption } from './select.tsx';
import { Table, TableContainer } from './table.tsx';

export interface DataFilter<Row> {
  readonly key: string;
  readonly label: string;
  /** The option `all` matches every row. */
  readonly options: readonly SelectOption[];
  readonly value: (row: Row) => string;
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  loading?: boolean;
  emptyMessage?: string;
  /** Without it, the table has no search box. */
  search?: { readonly placeholder: string; readonly text: (row: Row) => string };
  filters?: readonly DataFilter<Row>[];
}

export function DataTable<Row>(props: DataTableProps<Row>): React.JSX.Element {
  const { label, columns, rows, rowKey, loading = false, search, filters = [] } = props;
  const [state, change] = useReducer(changeTable, initialTableState);
  const view = selectTableView(rows, state, {
    searchText: search?.text,
    filterValue: Object.fromEntries(filters.map((filter) => [filter.key, filter.value])),
  });
  const message =
    isFiltered(state) && rows.length > 0 ? (
      <NoMatches onClear={() => change({ search: '', filters: {} })} />
    ) : (
      <EmptyState title={props.emptyMessage ?? 'No data available'} />
    );
  return (
    <div className="grid gap-3">
      <Toolbar {...props} state={state} change={change} />
      <TableContainer label={label}>
        <Table
          columns={columns}
          busy={loading}
          skeletonRows={loading ? state.pageSize : 0}
          message={view.rows.length === 0 && message}
        >
          <tbody>
            {view.rows.map((row) => (
              <tr key={rowKey(row)} className="hover:bg-subtle">
                <RowCells columns={columns} row={row} />
              </tr>
            ))}
          </tbody>
        </Table>
      </TableContainer>
      <Pager state={state} change={change} view={view} />
    </div>
  );
}

interface TableControlProps {
  state: TableState;
  change: (change: Partial<TableState>) => void;
}

function Toolbar<Row>({
  search,
  filters = [],
  state,
  change,
}: DataTableProps<Row> & TableControlProps): ReactNode {
  if (search === undefined && filters.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {search !== undefined && (
        <SearchInput
          value={state.search}
          onValueChange={(text) => change({ search: text })}
          placeholder={search.placeholder}
          className="w-full sm:w-64"
        />
      )}
      {filters.map((filter) => (
        <Select
          key={filter.key}
          aria-label={filter.label}
          options={filter.options}
          value={state.filters[filter.key] ?? allOption}
          onChange={(event) => change({ filters: { ...state.filters, [filter.key]: event.target.value } })}
          boxClassName="flex-1 sm:w-40 sm:flex-none"
        />
      ))}
    </div>
  );
}

function NoMatches({ onClear }: { onClear: () => void }): React.JSX.Element {
  return <EmptyState title="No rows match your filters" action={<ClearFiltersButton onClear={onClear} />} />;
}

function Pager<Row>({
  state,
  change,
  view,
}: TableControlProps & { view: TableView<Row> }): React.JSX.Element {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
      <div className="flex items-center gap-2">
        <label htmlFor={id}>Rows per page</label>
        <Select
          id={id}
          options={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
          value={String(state.pageSize)}
          onChange={(event) => change({ pageSize: Number(event.target.value) as PageSize })}
          boxClassName="w-20"
        />
      </div>
      <div className="flex items-center gap-2">
        <p aria-live="polite">
          Page {view.page} of {view.pages} ({view.total} total)
        </p>
        <Button
          variant="outline"
          size="sm"
          disabled={view.page <= 1}
          onClick={() => change({ page: view.page - 1 })}
        >
          <ChevronLeft aria-hidden />
          Previous
        </Button>
        <Button
          variant="outline"
          size="sm"
          disabled={view.page >= view.pages}
          onClick={() => change({ page: view.page + 1 })}
        >
          Next
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </div>
  );
}
