/** Sets the document title, and after a navigation announces the screen and focuses its heading. */
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { runtimeConfig } from '../api/auth.ts';
import { screenTitleId } from '../ui/screen-header.tsx';

const retryIntervalMs = 50;
const maxAttempts = 40;

/**
 * Focuses the heading of the screen. Retries, because the heading appears after the route while code
 * loads or a role is checked.
 *
 * @returns cancels the retries
 */
const focusHeading = (attemptsLeft = maxAttempts): (() => void) => {
  const heading = document.getElementById(screenTitleId);
  if (heading !== null) {
    heading.focus({ preventScroll: true });
    return () => undefined;
  }
  if (attemptsLeft === 0) return () => undefined;
  let cancelNext = (): void => undefined;
  const timer = setTimeout(() => {
    cancelNext = focusHeading(attemptsLeft - 1);
  }, retryIntervalMs);
  return () => {
    clearTimeout(timer);
    cancelNext();
  };
};

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
