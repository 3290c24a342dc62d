/**
 * The sign-in document: three pages without a router. Prerendered at build time with every first
 * view in it; the boot script and the style sheet choose the one that shows until React takes over.
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

/** `visit` tells two visits of the same page apart: each starts anew. */
interface Place {
  readonly path: string;
  readonly visit: number;
}

const currentPath = (): string => location.pathname.replace(/\/+$/, '');

const titles: Readonly<Record<string, string>> = {
  '/auth/callback': 'Signing in',
  '/auth/set-password': 'Set your password',
};

export function AuthApp({ productName }: { productName: string }): React.JSX.Element {
  const [place, setPlace] = useState<Place | null>(null);
  const arrive = useCallback(
    () => setPlace((last) => ({ path: currentPath(), visit: (last?.visit ?? 0) + 1 })),
    [],
  );
  useEffect(() => {
    arrive();
    showQueuedToasts();
    addEventListener('popstate', arrive);
    return () => removeEventListener('popstate', arrive);
  }, [arrive]);
  useEffect(() => {
    if (place !== null) document.title = `${titles[place.path] ?? 'Sign in'} - ${productName}`;
  }, [place, productName]);
  const navigation = useMemo<AuthNavigation>(
    () => ({
      productName,
      go: (path) => {
        history.replaceState(null, '', path);
        arrive();
      },
    }),
    [productName, arrive],
  );
  const isSignIn = place === null || !(place.path in titles);
  return (
    <AuthNavigationContext value={navigation}>
      <AuthFrame productName={productName}>
        {isSignIn && (
          <AuthScreen
            key={place !== null && place.visit > 1 ? place.visit : 'first'}
            first={place === null}
          />
        )}
        {place === null && <FirstViews />}
        {place?.path === '/auth/callback' && <AuthCallbackScreen key={place.visit} />}
        {place?.path === '/auth/set-password' && <SetPasswordScreen key={place.visit} />}
      </AuthFrame>
      <Toaster />
    </AuthNavigationContext>
  );
}

/** What the other two pages show first; only in the prerendered HTML. */
function FirstViews(): React.JSX.Element {
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
