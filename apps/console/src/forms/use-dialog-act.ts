/** A dialog that sends a request is one act of the user. */
import { useEffect } from 'react';
import { openDialogAct } from '../api/idempotency-keys.ts';

/**
 * Keeps the key of the request until the dialog closes, and then stops waiting for it, also if Back closed the dialog.
 *
 * @param cancel of `useSubmit`
 */
export const useDialogAct = (open: boolean, cancel: () => void): void => {
  useEffect(() => {
    if (!open) return undefined;
    const close = openDialogAct();
    return () => {
      close();
      cancel();
    };
  }, [open, cancel]);
};
