/** Determines the element that gets the focus after a dialog or panel has closed. */
import type { Dialog } from '@base-ui/react/dialog';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { hasFocusMoved } from './focus-moved.ts';
import { screenTitleId } from './screen-header.tsx';

export type FinalFocus = Dialog.Popup.Props['finalFocus'];

/**
 * Wraps `finalFocus` so that it does not take the focus from another element. Base UI restores the focus
 * after the closing transition, also if the focus has moved during the transition. If the URL opened the
 * dialog, there is no element to return to, and the title of the screen gets the focus.
 */
export const useFinalFocus = (open: boolean, finalFocus: FinalFocus = true): FinalFocus => {
  const hasOpener = useRef(true);
  const pendingButton = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    const isLost = document.activeElement === document.body;
    // A dialog on top of another one, or of a panel, opens while its button is disabled.
    pendingButton.current = isLost ? document.querySelector<HTMLElement>('[data-pending]') : null;
    // After a reload, nothing has the focus.
    hasOpener.current = !isLost || document.querySelector('[data-modal-layer]') !== null;
  }, [open]);
  return (closeType) => {
    if (hasFocusMoved()) return false;
    const chosen = typeof finalFocus === 'function' ? finalFocus(closeType) : finalFocus;
    if (chosen !== true) return isRef(chosen) ? chosen.current : chosen;
    // Still disabled if its action continues: then the button takes the focus as soon as it can, or what replaces it.
    if (pendingButton.current?.isConnected === true) return pendingButton.current;
    return hasOpener.current || (document.getElementById(screenTitleId) ?? true);
  };
};

const isRef = (value: unknown): value is RefObject<HTMLElement | null> =>
  typeof value === 'object' && value !== null && 'current' in value;
