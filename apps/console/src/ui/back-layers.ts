/**
 * Open layers that are not in the URL, such as the command palette: Back closes the topmost one. A panel or dialog in the
 * URL is closed by the router.
 */
import { useEffect, useRef } from 'react';

const layers: (() => void)[] = [];

/** Closes the topmost layer. Returns false if there is none. */
export const closeTopLayer = (): boolean => {
  const close = layers.at(-1);
  close?.();
  return close !== undefined;
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
