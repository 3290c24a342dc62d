/** What a press on a table row means, when the whole row opens something and also holds controls. */
import type { KeyboardEvent, MouseEvent } from 'react';

/** The browser's own gestures on a link: new tab, new window, download. */
export const isModifiedClick = (event: MouseEvent): boolean =>
  event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** False for presses on a control inside the row, and while text is being marked with the mouse. */
export const isRowActivation = (event: MouseEvent): boolean =>
  !isModifiedClick(event) &&
  !(event.target instanceof Element && event.target.closest('a, button, input, label') !== null) &&
  document.getSelection()?.type !== 'Range';

/** Arrow keys go from link to link of neighbouring rows, so that a long list needs no hundred tabs. */
export const focusAdjacentRow = (event: KeyboardEvent<HTMLElement>): void => {
  const row = event.currentTarget.closest('tr');
  const target =
    event.key === 'ArrowDown'
      ? row?.nextElementSibling
      : event.key === 'ArrowUp'
        ? row?.previousElementSibling
        : null;
  const link = target?.querySelector('a');
  if (link === null || link === undefined) return;
  event.preventDefault();
  link.focus();
};
