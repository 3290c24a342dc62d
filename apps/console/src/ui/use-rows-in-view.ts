/** Determines which rows of a virtual list to render. */
import { type RefObject, useCallback, useSyncExternalStore } from 'react';
import { rowHeight } from './row-height.ts';

/** Inclusive row indexes. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Number of rows rendered beyond each edge of the window. The range moves in steps of this size. */
const overscan = 8;

const subscribe = (listener: () => void): (() => void) => {
  // Scroll events do not bubble, so capture them.
  addEventListener('scroll', listener, { capture: true, passive: true });
  addEventListener('resize', listener);
  // The rows move without an event if the list starts to scroll with the page, which then changes its height.
  const observer = new ResizeObserver(listener);
  observer.observe(document.documentElement);
  return () => {
    removeEventListener('scroll', listener, { capture: true });
    removeEventListener('resize', listener);
    observer.disconnect();
  };
};

/** Returns the index of the row at a distance in px from the top of the list, rounded down to a step. */
const stepAt = (body: HTMLElement | null, distance: number): number =>
  Math.floor(distance / rowHeight(body) / overscan) * overscan;

/**
 * Returns the rows that can be visible. Measures the position of the table body in the window, so the result
 * depends neither on which element scrolls nor on the mount order.
 *
 * @param body a `tbody` with the full height of the list, including spacer rows
 * @param count number of rows of the whole list, at least 1
 */
export const useRowsInView = (body: RefObject<HTMLElement | null>, count: number): RowRange => {
  const firstStep = useCallback(
    () => Math.max(0, stepAt(body.current, -(body.current?.getBoundingClientRect().top ?? 0))),
    [body],
  );
  // A number, because useSyncExternalStore requires a stable snapshot.
  const step = useSyncExternalStore(subscribe, firstStep);
  const rowsInWindow = useSyncExternalStore(
    subscribe,
    () => stepAt(body.current, innerHeight) + 2 * overscan,
  );
  const first = Math.max(0, Math.min(step, count - 1) - overscan);
  return { first, last: Math.min(count - 1, first + overscan + rowsInWindow) };
};
