import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  tableReducer,
  initialTableState,
  isFiltered,
  type TableAction,
  type TableState,
  selectTableView,
} from './data-table-state.ts';

interface Person {
  readonly name: string;
  readonly role: string;
}

const people: readonly Person[] = Array.from({ length: 30 }, (_, index) => ({
  name: `Person ${index}`,
  role: index % 3 === 0 ? 'admin' : 'user',
}));
const reader = { searchText: (row: Person) => row.name, filterValue: { role: (row: Person) => row.role } };
const after = (...actions: readonly TableAction[]): TableState =>
  actions.reduce(tableReducer, initialTableState);

describe('the generic data table', () => {
  it('C136 searches without regard to case', () => {
    expect(selectTableView(people, after({ type: 'search', text: ' PERSON 2' }), reader).total).toBe(11);
  });
  it("C145 'all' means no filter", () => {
    const chosen = after({ type: 'filter', key: 'role', value: 'admin' });
    expect(selectTableView(people, chosen, reader).total).toBe(10);
    expect(
      selectTableView(people, tableReducer(chosen, { type: 'filter', key: 'role', value: 'all' }), reader)
        .total,
    ).toBe(30);
  });
  it('C147 a search, a filter or a page size returns to page 1', () => {
    const onPage2 = after({ type: 'page', page: 2 });
    expect(selectTableView(people, onPage2, reader)).toMatchObject({ page: 2, pages: 3 });
    const changes: readonly TableAction[] = [
      { type: 'search', text: 'person' },
      { type: 'filter', key: 'role', value: 'user' },
      { type: 'page-size', size: 25 },
      { type: 'clear' },
    ];
    for (const change of changes) expect(tableReducer(onPage2, change).page).toBe(1);
  });
  it('is never past the last page, also when rows have gone', () => {
    expect(selectTableView(people.slice(0, 5), after({ type: 'page', page: 3 }), reader)).toMatchObject({
      page: 1,
      pages: 1,
    });
    expect(selectTableView([], initialTableState, reader)).toEqual({ rows: [], total: 0, page: 1, pages: 1 });
  });
  it('C138 shows every row that passes exactly once over all pages', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.constantFrom(10, 25, 50), (names, size) => {
        const rows = names.map((name, index) => ({ name: `${index} ${name}`, role: 'user' }));
        const state = after({ type: 'page-size', size });
        const { pages } = selectTableView(rows, state, reader);
        const shown = Array.from(
          { length: pages },
          (_, page) =>
            selectTableView(rows, tableReducer(state, { type: 'page', page: page + 1 }), reader).rows,
        );
        expect(shown.flat()).toEqual(rows);
        expect(shown.every((page) => page.length <= size)).toBe(true);
      }),
    );
  });
  it('tells nothing found from nothing there', () => {
    expect(isFiltered(initialTableState)).toBe(false);
    expect(isFiltered(after({ type: 'search', text: '  ' }))).toBe(false);
    expect(isFiltered(after({ type: 'filter', key: 'role', value: 'all' }))).toBe(false);
    expect(isFiltered(after({ type: 'filter', key: 'role', value: 'user' }))).toBe(true);
  });
});
