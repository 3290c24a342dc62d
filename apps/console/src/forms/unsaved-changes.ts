/** Which forms hold input that is not saved yet. Leaving asks first, and a lost session keeps the page. */
import { useEffect, useId } from 'react';

const dirtyForms = new Set<string>();
const listeners = new Set<() => void>();

const askBrowser = (event: BeforeUnloadEvent): void => event.preventDefault();

const changed = (): void => {
  // Only while needed: the listener keeps pages out of the back/forward cache.
  if (dirtyForms.size > 0) addEventListener('beforeunload', askBrowser);
  else removeEventListener('beforeunload', askBrowser);
  for (const listener of listeners) listener();
};

export const hasUnsavedChanges = (): boolean => dirtyForms.size > 0;

export const subscribeToUnsavedChanges = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** For a navigation that has been agreed to, such as leaving a lost session's page. */
export const clearUnsavedChanges = (): void => {
  dirtyForms.clear();
  changed();
};

/**
 * Marks this component's form as changed while `dirty` is true. Going to another screen, closing
 * the tab or reloading then asks; changes of the search parameters do not (a screen's own dialogs
 * and panels ask for themselves).
 */
export const useUnsavedChanges = (dirty: boolean): void => {
  const id = useId();
  useEffect(() => {
    if (!dirty) return undefined;
    dirtyForms.add(id);
    changed();
    return () => {
      dirtyForms.delete(id);
      changed();
    };
  }, [dirty, id]);
};
