/**
 * Open layers that are not in the URL, such as the command palette: Back closes the topmost one. A panel or dialog in the
 * URL is closed by the router.
 */
import { useEffect, useRef, useState } from 'react';

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

/** Registers a layer while it is open. `close` may ignore the call, for example while a request is running. */
export const useBackLayer = (open: boolean, close: () => void): void => {
  const latestClose = useRef(close);
  useEffect(() => {
    latestClose.current = close;
  });
  useEffect(() => {
    if (!open) return undefined;
    const layer = (): void => latestClose.current();
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, [open]);
};

interface LayerState {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Returns the state of a layer that its parent controls, or else its own. Back closes the layer. */
export const useLayerState = (controlled: {
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
}): LayerState => {
  const [ownOpen, setOwnOpen] = useState(false);
  const open = controlled.open ?? ownOpen;
  const onOpenChange = (next: boolean): void => {
    setOwnOpen(next);
    controlled.onOpenChange?.(next);
  };
  useBackLayer(open, () => onOpenChange(false));
  return { open, onOpenChange };
};
