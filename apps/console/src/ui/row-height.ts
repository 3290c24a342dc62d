/**
 * The height of the rows of a list: comfortable or compact, as stored in this browser. A narrow list shows its rows as cards,
 * which are higher.
 */
import { type RefObject, useCallback, useSyncExternalStore } from 'react';

const storageKey = 'compact-rows';

const apply = (compact: boolean): void => {
  document.documentElement.toggleAttribute('data-compact', compact);
};

/** Applies the stored setting. Call before the first render. */
export const restoreRowHeight = (): void => {
  try {
    apply(localStorage.getItem(storageKey) !== null);
  } catch {
    // Local storage is blocked.
  }
};

export const setCompactRows = (compact: boolean): void => {
  apply(compact);
  try {
    if (compact) localStorage.setItem(storageKey, 'true');
    else localStorage.removeItem(storageKey);
  } catch {
    // Local storage is blocked. The setting applies to this document only.
  }
  // Lists measure themselves again, as after a change of the window.
  dispatchEvent(new Event('resize'));
};

const isCompact = (): boolean => 'compact' in document.documentElement.dataset;

const subscribeToResize = (listener: () => void): (() => void) => {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
};

export const useIsCompact = (): boolean => useSyncExternalStore(subscribeToResize, isCompact);

/** In px. The breakpoint `48rem` and the heights of its cells (column.tsx) are the same. */
const cardsBelow = 768;

const frameOf = (element: Element | null): Element | null => element?.closest('section') ?? null;

/**
 * Returns the height in px. The virtual list and the height of its container depend on it.
 *
 * @param element the container of the table, or an element in it
 */
export const rowHeight = (element: Element | null): number => {
  const frame = frameOf(element);
  if (frame !== null && frame.clientWidth < cardsBelow) return isCompact() ? 40 : 60;
  return isCompact() ? 32 : 44;
};

/** Like `rowHeight`, and renders again when it changes. */
export const useRowHeight = (element: RefObject<Element | null>): number =>
  useSyncExternalStore(
    useCallback(
      (listener) => {
        addEventListener('resize', listener);
        // The sidebar changes the width of the list without an event of the window.
        const observer = new ResizeObserver(listener);
        const frame = frameOf(element.current);
        if (frame !== null) observer.observe(frame);
        return () => {
          removeEventListener('resize', listener);
          observer.disconnect();
        };
      },
      [element],
    ),
    () => rowHeight(element.current),
  );
