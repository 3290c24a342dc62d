/** What the generic data table shows: search, filters and pages of specification section 2. */

export const pageSizes = [10, 25, 50] as const;
export type PageSize = (typeof pageSizes)[number];

/** The option of every filter that lets everything through. */
export const allOption = 'all';

export interface TableState {
  readonly search: string;
  /** Chosen option by filter key; a missing key means 'all'. */
  readonly filters: Readonly<Record<string, string>>;
  readonly pageSize: PageSize;
  /** From 1. */
  readonly page: number;
}

export type TableAction =
  | { readonly type: 'search'; readonly text: string }
  | { readonly type: 'filter'; readonly key: string; readonly value: string }
  | { readonly type: 'page-size'; readonly size: PageSize }
  | { readonly type: 'page'; readonly page: number }
  | { readonly type: 'clear' };

export const initialTableState: TableState = { search: '', filters: {}, pageSize: 10, page: 1 };

/** Whatever changes the rows returns to page 1. */
export const tableReducer = (state: TableState, action: TableAction): TableState => {
  switch (action.type) {
    case 'search':
      return { ...state, search: action.text, page: 1 };
    case 'filter':
      return { ...state, filters: { ...state.filters, [action.key]: action.value }, page: 1 };
    case 'page-size':
      return { ...state, pageSize: action.size, page: 1 };
    case 'page':
      return { ...state, page: Math.max(1, action.page) };
    case 'clear':
      return { ...state, search: '', filters: {}, page: 1 };
  }
};

/** True when something narrows the rows, so that "nothing found" differs from "nothing there". */
export const isFiltered = (state: TableState): boolean =>
  state.search.trim() !== '' || Object.values(state.filters).some((value) => value !== allOption);

export interface RowAccessors<Row> {
  /** Text that the search looks in, without regard to case. */
  readonly searchText?: (row: Row) => string;
  /** A row's value by filter key. */
  readonly filterValue?: Readonly<Record<string, (row: Row) => string>>;
}

const passes = <Row>(row: Row, state: TableState, reader: RowAccessors<Row>): boolean => {
  const wanted = state.search.trim().toLowerCase();
  const found = wanted === '' || (reader.searchText?.(row) ?? '').toLowerCase().includes(wanted);
  return (
    found &&
    Object.entries(state.filters).every(
      ([key, value]) => value === allOption || reader.filterValue?.[key]?.(row) === value,
    )
  );
};

export interface TableView<Row> {
  readonly rows: readonly Row[];
  /** Rows that pass, on all pages. */
  readonly total: number;
  /** The page shown: never past the last one, also when rows have gone meanwhile. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
}

export const selectTableView = <Row>(
  all: readonly Row[],
  state: TableState,
  reader: RowAccessors<Row>,
): TableView<Row> => {
  const passing = all.filter((row) => passes(row, state, reader));
  const pages = Math.max(1, Math.ceil(passing.length / state.pageSize));
  const page = Math.min(state.page, pages);
  const start = (page - 1) * state.pageSize;
  return { rows: passing.slice(start, start + state.pageSize), total: passing.length, page, pages };
};
