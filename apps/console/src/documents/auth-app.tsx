/**
 * The sign-in document: three pages without a router. The build prerenders it with all initial views; the
 * boot script and the style sheet show one of them until React hydrates the page.
 */
import { removeTrailingSlashes } from '@lanternrock/contract/trailing-slashes';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { DocumentErrorBoundary } from './document-error-boundary.tsx';
import { forgetInput, restoreInput } from './kept-input.ts';
import { type AuthNavigation, AuthNavigationContext } from '../features/auth/auth-navigation.ts';
import { AuthCallbackScreen, callbackText } from '../features/auth/auth-callback-screen.tsx';
import { AuthScreen } from '../features/auth/auth-screen.tsx';
import { SetPasswordScreen, validatingText } from '../features/auth/set-password-screen.tsx';
import { AuthFrame } from '../features/auth/auth-frame.tsx';
import { releasePresses } from '../ui/held-presses.ts';
import { LoadingScreen } from '../ui/spinner.tsx';
import { showQueuedToasts } from '../ui/queued-toasts.ts';
import { Toaster } from '../ui/toaster.tsx';

interface Page {
  /** Null before hydration, in the prerendered HTML. */
  readonly path: string | null;
  /** Counts the navigations: a second visit of the same page resets its state. Hydration counts as none. */
  readonly visit: number;
}

const currentPath = (): string => removeTrailingSlashes(location.pathname);

const titles: Readonly<Record<string, string>> = {
  '/auth/callback': 'Signing in',
  '/auth/set-password': 'Set your password',
};

export function AuthApp(props: { productName: string }): React.JSX.Element {
  return (
    <DocumentErrorBoundary>
      <Pages {...props} />
    </DocumentErrorBoundary>
  );
}

function Pages({ productName }: { productName: string }): React.JSX.Element {
  const [{ path, visit }, setPage] = useState<Page>({ path: null, visit: 1 });
  const updatePage = useCallback(
    () =>
      setPage((last) => ({ path: currentPath(), visit: last.path === null ? last.visit : last.visit + 1 })),
    [],
  );
  useLayoutEffect(restoreInput, []);
  useEffect(() => {
    updatePage();
    showQueuedToasts();
    addEventListener('popstate', updatePage);
    return () => removeEventListener('popstate', updatePage);
  }, [updatePage]);
  const isHydrated = path !== null;
  // After the effects of the page, which select its view.
  useEffect(() => {
    if (isHydrated) releasePresses();
  }, [isHydrated]);
  useEffect(() => {
    if (path !== null) document.title = `${titles[path] ?? 'Sign in'} - ${productName}`;
  }, [path, productName]);
  const navigation = useMemo<AuthNavigation>(
    () => ({
      productName,
      go: (nextPath) => {
        forgetInput();
        history.replaceState(null, '', nextPath);
        updatePage();
      },
    }),
    [productName, updatePage],
  );
  const isSignIn = path === null || titles[path] === undefined;
  return (
    <AuthNavigationContext value={navigation}>
      <AuthFrame productName={productName}>
        {isSignIn && <AuthScreen key={visit} first={path === null} />}
        {path === null && <OtherInitialViews />}
        {path === '/auth/callback' && <AuthCallbackScreen key={visit} />}
        {path === '/auth/set-password' && <SetPasswordScreen key={visit} />}
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
