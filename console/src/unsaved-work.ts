/**
 * Whether some form of this document holds input that is not saved yet. Whoever is about to take the
 * page away (a lost session, a newer build) asks here first.
 */
import { useEffect } from 'react';

const dirtyForms = new Set<symbol>();

export const hasUnsavedWork = (): boolean => dirtyForms.size > 0;

/** Called by a form with whether it differs from what is stored. */
export const useUnsavedWork = (dirty: boolean): void => {
  useEffect(() => {
    if (!dirty) return undefined;
    const form = Symbol('form');
    dirtyForms.add(form);
    return () => void dirtyForms.delete(form);
  }, [dirty]);
};
