/** Sets the document title, and after a navigation announces the screen and focuses its heading. */
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { runtimeConfig } from '../api/current-session.ts';
import { screenTitleId } from '../ui/screen-header.tsx';

/**
 * Focuses the heading of the screen as soon as it appears, while code loads, a role is checked or data is read. A press
 * ends the wait, because it moves the focus.
 *
 * @returns ends the wait
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
    for (const press of presses) removeEventListener(press, stop, true);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  for (const press of presses) addEventListener(press, stop, true);
  focus();
  return stop;
};

const presses = ['pointerdown', 'keydown'] as const;

/** Announces changes of the path only, because panels, tabs and filters change the search params. */
export function RouteAnnouncer(): React.JSX.Element {
  const router = useRouter();
  const title = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.title ?? '' });
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
      setAnnounced(router.state.matches.at(-1)?.staticData.title ?? '');
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
