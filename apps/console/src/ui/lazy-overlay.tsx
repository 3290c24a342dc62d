/** Loads the code of a dialog, sheet or menu when it is first opened, to keep the initial bundle small. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { dismissAction, toast } from './toast.ts';

interface LazyOverlay<Props> {
  /** Renders `fallback` until the code has loaded for the first opening. */
  (props: Props & { fallback?: ReactNode }): ReactNode;
  /** Loads the code early, for example on hover, on focus, or when the browser is idle. */
  preload: () => void;
}

/**
 * Milliseconds before a toast reports that the code has not loaded. The overlay still opens if it loads
 * later.
 */
const errorDelayMs = 5000;

/** Milliseconds before the next attempt after a failed one. The `online` event starts one at once. */
const retryDelayMs = 3000;

/** Number of overlays that the toast reports. All of them share it, so that it stays until the last one has loaded. */
let missingOverlays = 0;

/** Number of open overlays whose code is loading. */
let awaitedOverlays = 0;

/** Returns true while the user waits for an overlay. */
export const isOverlayAwaited = (): boolean => awaitedOverlays > 0;

/** Loaders of the overlays that are not preloaded yet. */
const waiting: (() => Promise<unknown>)[] = [];

/** Loads the code of one more overlay, also of those in code that was loaded later. Returns undefined if there is none. */
export const preloadNextOverlay = (): Promise<unknown> | undefined => waiting.shift()?.();

/**
 * Creates an overlay that renders nothing until it is first opened, and then stays mounted for its closing
 * transition. If loading fails or takes long, a toast reports it, and the overlay is loaded again until it opens.
 *
 * @param quiet true to show no toast
 */
export const lazyOverlay = <Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
  { quiet = false }: { quiet?: boolean } = {},
): LazyOverlay<Props> => {
  let loading: Promise<ComponentType<Props>> | null = null;
  let loaded: ComponentType<Props> | null = null;
  const loadOnce = (): Promise<ComponentType<Props>> => {
    loading ??= load().then(
      (component) => (loaded = component),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  const Overlay: LazyOverlay<Props> = (props) => {
    const [Shown, setShown] = useState<ComponentType<Props> | null>(null);
    // If the code has loaded already, render it in this pass.
    if (props.open && Shown === null && loaded !== null) setShown(() => loaded);
    useEffect(() => {
      if (!props.open || Shown !== null) return undefined;
      let active = true;
      let reported = false;
      if (!quiet) awaitedOverlays += 1;
      const reportError = (): void => {
        if (!active || quiet) return;
        if (!reported) missingOverlays += 1;
        reported = true;
        toast(loadErrorToast);
      };
      let retry: ReturnType<typeof setTimeout> | undefined;
      const attempt = (): void => {
        clearTimeout(retry);
        loadOnce().then(
          (component) => {
            if (active) setShown(() => component);
          },
          () => {
            reportError();
            clearTimeout(retry);
            if (active) retry = setTimeout(attempt, retryDelayMs);
          },
        );
      };
      attempt();
      const timer = setTimeout(reportError, errorDelayMs);
      addEventListener('online', attempt);
      return () => {
        active = false;
        if (!quiet) awaitedOverlays -= 1;
        clearTimeout(timer);
        clearTimeout(retry);
        removeEventListener('online', attempt);
        if (reported) missingOverlays -= 1;
        if (reported && missingOverlays === 0) dismissAction(loadErrorToast.action);
      };
    }, [props.open, Shown]);
    return Shown === null ? props.fallback : <Shown {...props} />;
  };
  Overlay.preload = () => void loadOnce().catch(() => undefined);
  waiting.push(loadOnce);
  return Overlay;
};

const loadErrorToast = {
  action: 'load-overlay',
  title: 'A part of this page could not be loaded',
  description: 'Check your connection. The part opens when it has loaded.',
  variant: 'destructive',
} as const;

export const LazySheet = lazyOverlay(async () => (await import('./sheet.tsx')).Sheet);
export const LazyConfirmDialog = lazyOverlay(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
);
