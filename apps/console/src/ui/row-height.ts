/** The height of table rows. The user selects it, and the boot script applies the stored setting. */
import { useSyncExternalStore } from 'react';

/** Returns the height in px. The virtual list and the height of its container depend on it. */
export const rowHeight = (): number => ('compact' in document.documentElement.dataset ? 32 : 44);

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
};

/** Like `rowHeight`, and renders again when it changes. */
export const useRowHeight = (): number => useSyncExternalStore(subscribe, rowHeight);
