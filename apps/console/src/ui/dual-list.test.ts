import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDualList, moveItems, type Side, sortItems } from './dual-list.ts';

const items = [
  'Search and Rescue',
  'Lifeguard Service',
  'Park Service',
  'Event Medical',
  'Ski Patrol',
  'Harbor Master',
].map((label) => ({ value: label, label }));
const labels = (list: readonly { label: string }[]): readonly string[] => list.map((item) => item.label);

describe('dual list', () => {
  const start = createDualList(items, ['Ski Patrol', 'Harbor Master']);

  it('starts with both lists sorted', { tags: ['C139', 'C140'] }, () => {
    expect(labels(start.available)).toEqual([
      'Event Medical',
      'Lifeguard Service',
      'Park Service',
      'Search and Rescue',
    ]);
    expect(labels(start.selected)).toEqual(['Harbor Master', 'Ski Patrol']);
  });
  it('moves an item to the other list and back', { tags: ['C141'] }, () => {
    const moved = moveItems(start, 'available', new Set(['Park Service']));
    expect([moved.available.length, moved.selected.length]).toEqual([3, 3]);
    expect(moveItems(moved, 'selected', new Set(['Park Service']))).toEqual(start);
  });
  it('keeps both lists sorted and complete for arbitrary moves', { tags: ['C142'] }, () => {
    const step = fc.tuple(
      fc.constantFrom<Side>('available', 'selected'),
      fc.array(fc.constantFrom(...items)),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const end = steps.reduce(
          (lists, [from, some]) => moveItems(lists, from, new Set(some.map((item) => item.value))),
          start,
        );
        expect(end.available).toEqual(sortItems(end.available));
        expect(end.selected).toEqual(sortItems(end.selected));
        expect(sortItems([...end.available, ...end.selected])).toEqual(sortItems(items));
      }),
    );
  });
  it('ignores unknown items and items of the other list', () => {
    expect(moveItems(start, 'available', new Set(['Ski Patrol', 'unknown']))).toEqual(start);
  });
});
