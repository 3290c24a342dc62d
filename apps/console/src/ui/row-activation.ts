/** Mouse and keyboard handling of table rows that open a record and contain other controls. */
import type { KeyboardEvent, MouseEvent } from 'react';

/** Returns true for clicks that the browser handles on links: new tab, new window, download. */
export const isModifiedClick = (event: MouseEvent): boolean =>
  event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** Returns true if a click opens the row. Clicks on a control and text selections do not. */
export const isRowActivation = (event: MouseEvent): boolean =>
  !isModifiedClick(event) &&
  !(event.target instanceof Element && event.target.closest('a, button, input, label') !== null) &&
  document.getSelection()?.type !== 'Range';

/** Moves the focus to the link of the next or previous row with the arrow keys, as an alternative to Tab. */
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
