/** Open layers that Back closes. See `back-layers.ts`. */
import { useEffect, useRef, useState } from 'react';
import { addBackLayer } from './back-layers.ts';

/** Registers a layer while it is open. `close` may ignore the call, for example while a request is running. */
export const useBackLayer = (open: boolean, close: () => void): void => {
  const latestClose = useRef(close);
  useEffect(() => {
    latestClose.current = close;
  });
  useEffect(() => {
    if (!open) return undefined;
    return addBackLayer(() => latestClose.current());
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
