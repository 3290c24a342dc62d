/**
 * Tracks forms with unsaved input. Leaving the page requires a confirmation, and an ended session keeps the
 * page open.
 */
import { useEffect, useId } from 'react';

const dirtyForms = new Set<string>();
const listeners = new Set<() => void>();

const confirmUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

const notify = (): void => {
  // A beforeunload listener disables the back/forward cache, so it is added only while needed.
  if (dirtyForms.size > 0) addEventListener('beforeunload', confirmUnload);
  else removeEventListener('beforeunload', confirmUnload);
  for (const listener of listeners) listener();
};

export const hasUnsavedChanges = (): boolean => dirtyForms.size > 0;

export const subscribeToUnsavedChanges = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Call before a navigation that the user has confirmed, such as leaving the page of an ended session. */
export const clearUnsavedChanges = (): void => {
  dirtyForms.clear();
  notify();
};

/**
 * Registers the component's form while `dirty` is true. Navigating to another screen, closing the tab and
 * reloading then require a confirmation. Changes of the search params do not: dialogs and panels use
 * `CloseGuard`.
 */
export const useUnsavedChanges = (dirty: boolean): void => {
  const id = useId();
  useEffect(() => {
    if (!dirty) return undefined;
    dirtyForms.add(id);
    notify();
    return () => {
      dirtyForms.delete(id);
      notify();
    };
  }, [dirty, id]);
};
