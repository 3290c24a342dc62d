/** Two lists that share a set of items. Both stay sorted by label. */

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

/** Sorts by label, and items with equal labels by value. */
export const sortItems = (items: readonly DualListItem[]): readonly DualListItem[] =>
  items.toSorted(
    (a, b) => collator.compare(a.label, b.label) || (a.value < b.value ? -1 : Number(a.value > b.value)),
  );

/** Divides the items into available and selected ones. @param selected values of the selected items */
export const createDualList = (items: readonly DualListItem[], selected: readonly string[]): DualList => ({
  available: sortItems(items.filter((item) => !selected.includes(item.value))),
  selected: sortItems(items.filter((item) => selected.includes(item.value))),
});

/** Moves the items with the given values from `from` to the other list. Ignores unknown values. */
export const moveItems = (lists: DualList, from: Side, values: ReadonlySet<string>): DualList => {
  const to: Side = from === 'available' ? 'selected' : 'available';
  const moving = lists[from].filter((item) => values.has(item.value));
  const remaining = lists[from].filter((item) => !values.has(item.value));
  const target = sortItems([...lists[to], ...moving]);
  return from === 'available'
    ? { available: remaining, selected: target }
    : { available: target, selected: remaining };
};
