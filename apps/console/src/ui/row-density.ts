/** The setting for low table rows, stored in this browser. Has no imports, because the boot script includes it. */

export const compactRowsKey = 'compact-rows';

const apply = (compact: boolean): void => {
  document.documentElement.toggleAttribute('data-compact', compact);
};

/** @param stored the value in local storage */
export const restoreRowDensity = (stored: string | null): void => apply(stored !== null);

export const setCompactRows = (compact: boolean): void => {
  apply(compact);
  try {
    if (compact) localStorage.setItem(compactRowsKey, 'true');
    else localStorage.removeItem(compactRowsKey);
  } catch {
    // Local storage is blocked. The setting applies to this document only.
  }
  // Lists measure themselves again, as after a change of the window.
  dispatchEvent(new Event('resize'));
};
