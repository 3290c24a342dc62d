/** After a navigation: names the page to screen readers and in the title, and moves the focus to it. */
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { runtimeConfig } from '../api/auth.ts';
import { screenTitleId } from '../ui/screen-header.tsx';

const step = 50;
const patience = 40;

/** The heading may come a moment after the route: its code loads, or a role is being checked. */
const focusHeading = (left = patience): (() => void) => {
  const heading = document.getElementById(screenTitleId);
  if (heading !== null) {
    heading.focus({ preventScroll: true });
    return () => undefined;
  }
  if (left === 0) return () => undefined;
  let cancelNext = (): void => undefined;
  const timer = setTimeout(() => {
    cancelNext = focusHeading(left - 1);
  }, step);
  return () => {
    clearTimeout(timer);
    cancelNext();
  };
};

/** Panels, tabs and filters change the address too, but neither the path nor the page. */
export function RouteAnnouncer(): React.JSX.Element {
  const router = useRouter();
  const title = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.title ?? '' });
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    document.title = title === '' ? runtimeConfig.productName : `${title} - ${runtimeConfig.productName}`;
  }, [title]);
  useEffect(() => {
    let stop = (): void => undefined;
    const unsubscribe = router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
      // The first page is announced by the browser itself.
      if (!pathChanged || fromLocation === undefined) return;
      stop();
      stop = focusHeading();
      setAnnounced(router.state.matches.at(-1)?.staticData.title ?? '');
    });
    return () => {
      unsubscribe();
      stop();
    };
  }, [router]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {announced}
    </p>
  );
}
