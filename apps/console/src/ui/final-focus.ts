/** Determines the element that gets the focus after a dialog or panel has closed. */
import type { Dialog } from '@base-ui/react/dialog';

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
 * after the closing transition, also if the focus has moved during the transition.
 */
export const unlessFocusMoved = (finalFocus: FinalFocus): FinalFocus => {
  if (finalFocus === undefined) return undefined;
  return (closeType) => {
    if (hasFocusMoved()) return false;
    if (typeof finalFocus === 'function') return finalFocus(closeType);
    return typeof finalFocus === 'boolean' ? finalFocus : finalFocus.current;
  };
};
