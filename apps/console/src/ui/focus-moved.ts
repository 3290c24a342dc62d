/** Whether the focus has a new place, so that nothing may move it. Without imports, because the sign-in page loads it. */

/**
 * Returns true if an element has the focus, and not only a dialog that is closing: for example a dialog that opened during the
 * closing transition.
 */
export const hasFocusMoved = (): boolean => {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body && activeElement.closest('[data-closed]') === null;
};
