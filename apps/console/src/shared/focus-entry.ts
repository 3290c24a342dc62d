/** Moves the focus to an entry of a list of the activity. */

/**
 * Focuses the item that shows an entry.
 *
 * @param id of an entry
 * @returns false if no list shows it
 */
export const focusEntry = (id: string): boolean => {
  const item = document.querySelector<HTMLElement>(`[data-entries~="${CSS.escape(id)}"]`);
  item?.focus();
  item?.scrollIntoView({ block: 'nearest' });
  return item !== null;
};
