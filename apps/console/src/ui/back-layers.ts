/**
 * Open layers that are not in the URL, such as the command palette: Back closes the topmost one. A panel or dialog in the
 * URL is closed by the router.
 */

/** Closes each open layer; the topmost one is the last. */
const layers: (() => void)[] = [];

/**
 * Closes the topmost layer instead of a Back navigation, which the caller cancels. It is closed after the router has
 * returned to the current entry, because closing may navigate.
 *
 * @returns false if no layer is open
 */
export const closeLayerOnBack = (): boolean => {
  if (layers.length === 0) return false;
  addEventListener('popstate', () => layers.at(-1)?.(), { once: true });
  return true;
};

/**
 * Closes the open layers after a navigation by Forward or over several entries, which shows another state of the page.
 * A confirmation dialog for the navigation opens later and stays.
 */
export const closeLayersAfterNavigation = (): void => {
  const open = layers.toReversed();
  setTimeout(() => {
    for (const close of open) close();
  });
};

/** Registers an open layer. Call the returned function when it is closed. */
export const addBackLayer = (close: () => void): (() => void) => {
  layers.push(close);
  return () => void layers.splice(layers.indexOf(close), 1);
};
