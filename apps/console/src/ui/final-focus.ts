/** Determines the element that gets the focus after a dialog or panel has closed. */
import type { Dialog } from '@base-ui/react/dialog';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { screenTitleId } from './screen-header.tsx';

export type FinalFocus = Dialog.Popup.Props['finalFocus'];

/**
 * Returns true if the focus has moved already, for example to a dialog that opened during the closing
 * transition.
 */
const hasFocusMoved = (): boolean => {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body && activeElement.closest('[data-closed]') === null;
};

/**
 * Wraps `finalFocus` so that it does not take the focus from another element. Base UI restores the focus
 * after the closing transition, also if the focus has moved during the transition. If the URL opened the
 * dialog, there is no element to return to, and the title of the screen gets the focus.
 */
export const useFinalFocus = (open: boolean, finalFocus: FinalFocus = true): FinalFocus => {
  const hasOpener = useRef(true);
  useLayoutEffect(() => {
    // After a reload, nothing has the focus. A dialog on top of another one opens while its button is disabled.
    if (open)
      hasOpener.current =
        document.activeElement !== document.body || document.querySelector('[data-modal-layer]') !== null;
  }, [open]);
  return (closeType) => {
    if (hasFocusMoved()) return false;
    const chosen = typeof finalFocus === 'function' ? finalFocus(closeType) : finalFocus;
    if (chosen !== true) return isRef(chosen) ? chosen.current : chosen;
    return hasOpener.current || (document.getElementById(screenTitleId) ?? true);
  };
};

const isRef = (value: unknown): value is RefObject<HTMLElement | null> =>
  typeof value === 'object' && value !== null && 'current' in value;
