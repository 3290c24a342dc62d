/** A dialog, sheet or menu whose code loads when it is first wanted, so that the first page stays light. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { dismissAction, toast } from './toast.ts';

interface LazyPart<Props> {
  /** `fallback` stands in its place until it was first opened. */
  (props: Props & { fallback?: ReactNode }): ReactNode;
  /** Loads the code before it is wanted: on hover, on focus, or when the browser has nothing to do. */
  preload: () => void;
}

/** Wait for the code before the user reads why nothing opens, in milliseconds. It opens when the code arrives later. */
const patienceMs = 5000;

/**
 * Shows nothing until `open` is first true, then stays, so that closing can be seen. A load that
 * fails or takes long shows an error, unless `quiet`. The next opening and the return of the network try it again.
 */
export const lazyOverlay = <Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
  { quiet = false }: { quiet?: boolean } = {},
): LazyPart<Props> => {
  let loading: Promise<ComponentType<Props>> | null = null;
  let loaded: ComponentType<Props> | null = null;
  const start = (): Promise<ComponentType<Props>> => {
    loading ??= load().then(
      (part) => (loaded = part),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  const Part: LazyPart<Props> = (props) => {
    const [Shown, setShown] = useState<ComponentType<Props> | null>(null);
    // Known already: no render without it in between.
    if (props.open && Shown === null && loaded !== null) setShown(() => loaded);
    useEffect(() => {
      if (!props.open || Shown !== null) return undefined;
      let here = true;
      const explain = (): void => {
        if (here && !quiet) toast(notLoaded);
      };
      const attempt = (): void => {
        start().then((part) => {
          if (here) setShown(() => part);
        }, explain);
      };
      attempt();
      const timer = setTimeout(explain, patienceMs);
      addEventListener('online', attempt);
      return () => {
        here = false;
        clearTimeout(timer);
        removeEventListener('online', attempt);
        dismissAction(notLoaded.action);
      };
    }, [props.open, Shown]);
    return Shown === null ? props.fallback : <Shown {...props} />;
  };
  Part.preload = () => void start().catch(() => undefined);
  return Part;
};

const notLoaded = {
  action: 'load-part',
  title: 'A part of this page could not be loaded',
  description: 'Check your connection and try again.',
  variant: 'destructive',
} as const;
