import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeTable,
  initialTableState,
  isFiltered,
  type TableState,
  selectTableView,
} from './data-table-state.ts';

interface User {
  readonly name: string;
  readonly role: string;
}

const users: readonly User[] = Array.from({ length: 30 }, (_, index) => ({
  name: `User ${index}`,
  role: index % 3 === 0 ? 'admin' : 'user',
}));
const accessors = { searchText: (row: User) => row.name, filterValue: { role: (row: User) => row.role } };
const after = (change: Partial<TableState>): TableState => changeTable(initialTableState, change);

describe('the generic data table', () => {
  it('searches case-insensitively', { tags: ['C136'] }, () => {
    expect(selectTableView(users, after({ search: ' USER 2' }), accessors).total).toBe(11);
  });
  it("matches every row with 'all'", { tags: ['C145'] }, () => {
    const chosen = after({ filters: { role: 'admin' } });
    expect(selectTableView(users, chosen, accessors).total).toBe(10);
    const all = changeTable(chosen, { filters: { role: 'all' } });
    expect(selectTableView(users, all, accessors).total).toBe(30);
  });
  it('returns to page 1 after a change of search, filter or page size', { tags: ['C147'] }, () => {
    const onPage2 = after({ page: 2 });
    expect(selectTableView(users, onPage2, accessors)).toMatchObject({ page: 2, pages: 3 });
    const changes: readonly Partial<TableState>[] = [
      { search: 'user' },
      { filters: { role: 'user' } },
      { pageSize: 25 },
      { search: '', filters: {} },
    ];
    for (const change of changes) expect(changeTable(onPage2, change).page).toBe(1);
  });
  it('stays within the last page if the number of rows decreases', () => {
    expect(selectTableView(users.slice(0, 5), after({ page: 3 }), accessors)).toMatchObject({
      page: 1,
      pages: 1,
    });
    expect(selectTableView([], initialTableState, accessors)).toEqual({
      rows: [],
      total: 0,
      page: 1,
      pages: 1,
    });
  });
  it('shows every matching row exactly once over all pages', { tags: ['C138'] }, () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.constantFrom(10, 25, 50), (names, size) => {
        const rows = names.map((name, index) => ({ name: `${index} ${name}`, role: 'user' }));
        const state = after({ pageSize: size });
        const { pages } = selectTableView(rows, state, accessors);
        const shown = Array.from(
          { length: pages },
          (_, page) => selectTableView(rows, changeTable(state, { page: page + 1 }), accessors).rows,
        );
        expect(shown.flat()).toEqual(rows);
        expect(shown.every((page) => page.length <= size)).toBe(true);
      }),
    );
  });
  it('distinguishes no matches from no data', () => {
    expect(isFiltered(initialTableState)).toBe(false);
    expect(isFiltered(after({ search: '  ' }))).toBe(false);
    expect(isFiltered(after({ filters: { role: 'all' } }))).toBe(false);
    expect(isFiltered(after({ filters: { role: 'user' } }))).toBe(true);
  });
});
