/**
 * The sign-in document: three pages without a router. The build prerenders it with all initial views; the
 * boot script and the style sheet show one of them until React hydrates the page.
 */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type AuthNavigation, AuthNavigationContext } from '../features/auth/auth-navigation.ts';
import { AuthCallbackScreen, callbackText } from '../features/auth/auth-callback-screen.tsx';
import { AuthScreen } from '../features/auth/auth-screen.tsx';
import { SetPasswordScreen, validatingText } from '../features/auth/set-password-screen.tsx';
import { AuthFrame } from '../features/auth/auth-frame.tsx';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { showQueuedToasts } from '../ui/queued-toasts.ts';
import { Toaster } from '../ui/toaster.tsx';

/** `visit` counts the navigations: a second visit of the same page resets its state. */
interface Page {
  readonly path: string;
  readonly visit: number;
}

const currentPath = (): string => location.pathname.replace(/\/+$/, '');

const titles: Readonly<Record<string, string>> = {
  '/auth/callback': 'Signing in',
  '/auth/set-password': 'Set your password',
};

export function AuthApp({ productName }: { productName: string }): React.JSX.Element {
  const [page, setPage] = useState<Page | null>(null);
  const updatePage = useCallback(
    () => setPage((last) => ({ path: currentPath(), visit: (last?.visit ?? 0) + 1 })),
    [],
  );
  useEffect(() => {
    updatePage();
    showQueuedToasts();
    addEventListener('popstate', updatePage);
    return () => removeEventListener('popstate', updatePage);
  }, [updatePage]);
  useEffect(() => {
    if (page !== null) document.title = `${titles[page.path] ?? 'Sign in'} - ${productName}`;
  }, [page, productName]);
  const navigation = useMemo<AuthNavigation>(
    () => ({
      productName,
      go: (path) => {
        history.replaceState(null, '', path);
        updatePage();
      },
    }),
    [productName, updatePage],
  );
  const isSignIn = page === null || !(page.path in titles);
  return (
    <AuthNavigationContext value={navigation}>
      <AuthFrame productName={productName}>
        {isSignIn && (
          <AuthScreen key={page !== null && page.visit > 1 ? page.visit : 'first'} first={page === null} />
        )}
        {page === null && <OtherInitialViews />}
        {page?.path === '/auth/callback' && <AuthCallbackScreen key={page.visit} />}
        {page?.path === '/auth/set-password' && <SetPasswordScreen key={page.visit} />}
      </AuthFrame>
      <Toaster />
    </AuthNavigationContext>
  );
}

/** The initial views of the other two pages, in the prerendered HTML only. */
function OtherInitialViews(): React.JSX.Element {
  return (
    <>
      <div className="first-view-callback">
        <LoadingScreen text={callbackText} />
      </div>
      <div className="first-view-set-password">
        <LoadingScreen text={validatingText} />
      </div>
    </>
  );
}
