/** Sets the document title, and after a navigation announces the screen and focuses its heading. */
import { type AnyRouteMatch, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { runtimeConfig } from '../api/backend.ts';
import { screenTitleId } from '../ui/screen-header.tsx';

/** Presses move the focus, so the heading must not take it afterwards. */
const interruptingEvents = ['pointerdown', 'keydown'] as const;

/**
 * Focuses the heading of the screen as soon as it appears, after code is loaded, a role is checked or data is read. Stops
 * waiting on a press.
 *
 * @returns a function that stops waiting
 */
const focusHeading = (): (() => void) => {
  const focus = (): void => {
    const heading = document.getElementById(screenTitleId);
    if (heading === null) return;
    stop();
    heading.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(focus);
  const stop = (): void => {
    observer.disconnect();
    for (const type of interruptingEvents) removeEventListener(type, stop, true);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  for (const type of interruptingEvents) addEventListener(type, stop, true);
  focus();
  return stop;
};

const currentTitle = (matches: readonly AnyRouteMatch[]): string => matches.at(-1)?.staticData.title ?? '';

/** Announces changes of the path only, because panels, tabs and filters change the search params. */
export function RouteAnnouncer(): React.JSX.Element {
  const router = useRouter();
  const title = useRouterState({ select: ({ matches }) => currentTitle(matches) });
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    document.title = title === '' ? runtimeConfig.productName : `${title} - ${runtimeConfig.productName}`;
  }, [title]);
  useEffect(() => {
    let cancelFocus = (): void => undefined;
    const unsubscribe = router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
      // The browser announces the first page.
      if (!pathChanged || fromLocation === undefined) return;
      cancelFocus();
      cancelFocus = focusHeading();
      setAnnounced(currentTitle(router.state.matches));
    });
    return () => {
      unsubscribe();
      cancelFocus();
    };
  }, [router]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {announced}
    </p>
  );
}
