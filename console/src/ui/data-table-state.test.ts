import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeTable,
  initialTableState,
  isNarrowed,
  type TableAction,
  type TableState,
  viewOf,
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
  actions.reduce(changeTable, initialTableState);

describe('the generic data table', () => {
  it('C136 searches without regard to case', () => {
    expect(viewOf(people, after({ type: 'search', text: ' PERSON 2' }), reader).total).toBe(11);
  });
  it("C145 'all' means no filter", () => {
    const chosen = after({ type: 'filter', key: 'role', value: 'admin' });
    expect(viewOf(people, chosen, reader).total).toBe(10);
    expect(
      viewOf(people, changeTable(chosen, { type: 'filter', key: 'role', value: 'all' }), reader).total,
    ).toBe(30);
  });
  it('C147 a search, a filter or a page size returns to page 1', () => {
    const onPage2 = after({ type: 'page', page: 2 });
    expect(viewOf(people, onPage2, reader)).toMatchObject({ page: 2, pages: 3 });
    const changes: readonly TableAction[] = [
      { type: 'search', text: 'person' },
      { type: 'filter', key: 'role', value: 'user' },
      { type: 'page-size', size: 25 },
      { type: 'clear' },
    ];
    for (const change of changes) expect(changeTable(onPage2, change).page).toBe(1);
  });
  it('is never past the last page, also when rows have gone', () => {
    expect(viewOf(people.slice(0, 5), after({ type: 'page', page: 3 }), reader)).toMatchObject({
      page: 1,
      pages: 1,
    });
    expect(viewOf([], initialTableState, reader)).toEqual({ rows: [], total: 0, page: 1, pages: 1 });
  });
  it('C138 shows every row that passes exactly once over all pages', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.constantFrom(10, 25, 50), (names, size) => {
        const rows = names.map((name, index) => ({ name: `${index} ${name}`, role: 'user' }));
        const state = after({ type: 'page-size', size });
        const { pages } = viewOf(rows, state, reader);
        const shown = Array.from(
          { length: pages },
          (_, page) => viewOf(rows, changeTable(state, { type: 'page', page: page + 1 }), reader).rows,
        );
        expect(shown.flat()).toEqual(rows);
        expect(shown.every((page) => page.length <= size)).toBe(true);
      }),
    );
  });
  it('tells nothing found from nothing there', () => {
    expect(isNarrowed(initialTableState)).toBe(false);
    expect(isNarrowed(after({ type: 'search', text: '  ' }))).toBe(false);
    expect(isNarrowed(after({ type: 'filter', key: 'role', value: 'all' }))).toBe(false);
    expect(isNarrowed(after({ type: 'filter', key: 'role', value: 'user' }))).toBe(true);
  });
});
