/** Where the focus goes when a layer has closed. */
import type { Dialog } from '@base-ui/react/dialog';

export type FinalFocus = Dialog.Popup.Props['finalFocus'];

/** Somebody has gone on already, for example to a layer that was opened while this one faded out. */
const isElsewhere = (): boolean => {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body && activeElement.closest('[data-closed]') === null;
};

/**
 * The library gives the focus back when the closing movement is over, and to a place that is named
 * even then when the focus has moved on meanwhile.
 */
export const unlessFocusMoved = (wanted: FinalFocus): FinalFocus => {
  if (wanted === undefined) return undefined;
  return (closeType) => {
    if (isElsewhere()) return false;
    if (typeof wanted === 'function') return wanted(closeType);
    return typeof wanted === 'boolean' ? wanted : wanted.current;
  };
};
