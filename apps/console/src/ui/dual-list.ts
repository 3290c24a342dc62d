/** Two lists that share a set of items; moving keeps both sorted by their labels. */

export interface DualListItem {
  readonly value: string;
  readonly label: string;
}

export interface DualList {
  readonly available: readonly DualListItem[];
  readonly selected: readonly DualListItem[];
}

export type Side = keyof DualList;

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Alphabetical; items of one label keep a fixed order by value. */
export const sortItems = (items: readonly DualListItem[]): readonly DualListItem[] =>
  items.toSorted(
    (a, b) => collator.compare(a.label, b.label) || (a.value < b.value ? -1 : Number(a.value > b.value)),
  );

/** Splits all items by who is selected. */
export const createDualList = (items: readonly DualListItem[], selected: readonly string[]): DualList => ({
  available: sortItems(items.filter((item) => !selected.includes(item.value))),
  selected: sortItems(items.filter((item) => selected.includes(item.value))),
});

/** Moves the given items out of `from`; values that are not there are ignored. */
export const moveItems = (lists: DualList, from: Side, values: ReadonlySet<string>): DualList => {
  const to: Side = from === 'available' ? 'selected' : 'available';
  const moving = lists[from].filter((item) => values.has(item.value));
  const staying = lists[from].filter((item) => !values.has(item.value));
  const arrived = sortItems([...lists[to], ...moving]);
  return from === 'available'
    ? { available: staying, selected: arrived }
    : { available: arrived, selected: staying };
};
