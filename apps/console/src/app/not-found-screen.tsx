/** Shown for paths without a screen, and for screens that the backend does not offer. */
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { DemonstrationBanner } from '../shared/demonstration-banner.tsx';
import { Logo } from '../ui/logo.tsx';
import { buttonStyle } from '../ui/button.tsx';
import { screenTitleId } from '../ui/screen-header.tsx';

export function NotFoundScreen(): React.JSX.Element {
  const path = useLocation({ select: (location) => location.pathname });
  useEffect(() => {
    // The path is untrusted, so it is a separate argument and not part of the format string.
    console.error('404: no page at this path:', path);
  }, [path]);
  return (
    <div className="flex min-h-svh flex-col">
      <DemonstrationBanner />
      <main className="grid grow place-content-center justify-items-center gap-2 p-6 text-center">
        <Logo className="size-14 text-primary" />
        <h1 id={screenTitleId} tabIndex={-1} className="text-5xl font-semibold tracking-tight">
          404
        </h1>
        <p className="text-base text-muted">Oops! Page not found</p>
        <a href="/" className={buttonStyle({ variant: 'outline', className: 'mt-4 hover:bg-subtle' })}>
          Return to Home
        </a>
      </main>
    </div>
  );
}
