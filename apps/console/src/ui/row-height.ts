/** The height of table rows: comfortable or compact, as stored in this browser. */
import { useSyncExternalStore } from 'react';

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

/** Returns the height in px. The virtual list and the height of its container depend on it. */
export const rowHeight = (): number => ('compact' in document.documentElement.dataset ? 32 : 44);

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
};

/** Like `rowHeight`, and renders again when it changes. */
export const useRowHeight = (): number => useSyncExternalStore(subscribe, rowHeight);
