/** A dialog that sends a request is one action of the user. */
import { useEffect } from 'react';
import { startDialogAction } from '../api/idempotency-keys.ts';

/**
 * Keeps the key of the request until the dialog closes, and then stops waiting for it, also if Back closed the dialog.
 *
 * @param cancel of `useSubmit`
 */
export const useDialogAction = (open: boolean, cancel: () => void): void => {
  useEffect(() => {
    if (!open) return undefined;
    const close = startDialogAction();
    return () => {
      close();
      cancel();
    };
  }, [open, cancel]);
};
