/** Determines which rows of a long table are near the view, so that only these stand in the page. */
import { type RefObject, useCallback, useSyncExternalStore } from 'react';
import { rowHeight } from './table.tsx';

/** Indexes of rows, both included. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Rows that are kept beyond each edge of the window. The range also moves in steps of this size. */
const overscan = 8;

const subscribe = (listener: () => void): (() => void) => {
  // Scroll events do not bubble, but those of every element can be captured.
  addEventListener('scroll', listener, { capture: true, passive: true });
  addEventListener('resize', listener);
  return () => {
    removeEventListener('scroll', listener, { capture: true });
    removeEventListener('resize', listener);
  };
};

/** Index of the row at this distance in px from the upper end of the list, rounded down to a step. */
const stepAt = (distance: number): number => Math.floor(distance / rowHeight / overscan) * overscan;

/**
 * Returns the rows that may be in view. Measures the place of the table's body in the window, so it does
 * not matter which element scrolls, or whether that element is mounted before the body.
 *
 * @param body a `tbody` in which every row of the list takes its height, also those that are left out.
 * @param count rows of the whole list, at least 1.
 */
export const useRowsInView = (body: RefObject<HTMLElement | null>, count: number): RowRange => {
  const firstStep = useCallback(
    () => Math.max(0, stepAt(-(body.current?.getBoundingClientRect().top ?? 0))),
    [body],
  );
  // A number, because a snapshot must compare equal while nothing moves.
  const step = useSyncExternalStore(subscribe, firstStep);
  const rowsInWindow = useSyncExternalStore(subscribe, () => stepAt(innerHeight) + 2 * overscan);
  const first = Math.max(0, Math.min(step, count - 1) - overscan);
  return { first, last: Math.min(count - 1, first + overscan + rowsInWindow) };
};
