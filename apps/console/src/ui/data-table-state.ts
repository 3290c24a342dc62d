/** State of the generic data table: search, filters and pages. */

export const pageSizes = [10, 25, 50] as const;
export type PageSize = (typeof pageSizes)[number];

/** The filter option that matches every row. */
export const allOption = 'all';

export interface TableState {
  readonly search: string;
  /** Selected option by filter key; a missing key means `all`. */
  readonly filters: Readonly<Record<string, string>>;
  readonly pageSize: PageSize;
  /** 1-based. */
  readonly page: number;
}

export const initialTableState: TableState = { search: '', filters: {}, pageSize: 10, page: 1 };

/** Every change of search, filters or page size returns to page 1. */
export const changeTable = (state: TableState, change: Partial<TableState>): TableState => ({
  ...state,
  page: 1,
  ...change,
});

/**
 * Returns true if a search or filter is set. An empty result then shows a different message than an empty
 * table.
 */
export const isFiltered = (state: TableState): boolean =>
  state.search.trim() !== '' || Object.values(state.filters).some((value) => value !== allOption);

export interface RowAccessors<Row> {
  /** Returns the text that the search matches, case-insensitively. */
  readonly searchText?: ((row: Row) => string) | undefined;
  /** Functions that return the value of a row, by filter key. */
  readonly filterValue?: Readonly<Record<string, (row: Row) => string>>;
}

const matches = <Row>(row: Row, state: TableState, accessors: RowAccessors<Row>): boolean => {
  const search = state.search.trim().toLowerCase();
  const matchesSearch = search === '' || (accessors.searchText?.(row) ?? '').toLowerCase().includes(search);
  return (
    matchesSearch &&
    Object.entries(state.filters).every(
      ([key, value]) => value === allOption || accessors.filterValue?.[key]?.(row) === value,
    )
  );
};

export interface TableView<Row> {
  readonly rows: readonly Row[];
  /** Number of matching rows on all pages. */
  readonly total: number;
  /** The current page. Never after the last page, also if the number of rows has decreased. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
}

export const selectTableView = <Row>(
  all: readonly Row[],
  state: TableState,
  accessors: RowAccessors<Row>,
): TableView<Row> => {
  const matching = all.filter((row) => matches(row, state, accessors));
  const pages = Math.max(1, Math.ceil(matching.length / state.pageSize));
  const page = Math.min(state.page, pages);
  const start = (page - 1) * state.pageSize;
  return { rows: matching.slice(start, start + state.pageSize), total: matching.length, page, pages };
};
