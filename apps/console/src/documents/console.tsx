/** Starts the console document, which contains all screens except the sign-in pages. */
import '../styles/app.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { DocumentErrorBoundary } from './document-error-boundary.tsx';
import { startPreloading } from './preload.ts';
import { mountDocument, prepareDocument } from './prepare-document.ts';
import { firstPageQuery } from '../features/accounts/accounts-list.ts';
import { isChanging } from '../api/deadline.ts';
import { ApiError, timeoutCode } from '../api/errors.ts';
import { hasPrefetchedResponses } from '../api/prefetch.ts';
import { router } from '../app/router.tsx';
import { preloadNextScreen } from '../app/screens.tsx';
import { reloadOnce } from '../app/stale-build.ts';
import { startAuthClient } from '../session/start-auth-client.ts';
import { prefetchUserQueries } from '../session/use-session.tsx';
import {
  startSessionStore,
  isSessionReady,
  getSessionState,
  subscribeToSession,
} from '../session/session-store.ts';
import { isOverlayAwaited, preloadNextOverlay } from '../ui/lazy-overlay.tsx';
import { restoreRowHeight } from '../ui/row-height.ts';
import { showQueuedToasts } from '../ui/queued-toasts.ts';

prepareDocument();
restoreRowHeight();
const sessionKnown = startSessionStore(
  () => void queries.refetchQueries({ type: 'active', predicate: ({ state }) => isInterrupted(state.error) }),
);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a session, no query runs. A page with an ended session waits for the sign-in.
      enabled: isSessionReady,
      staleTime: 30_000,
      // Retry once if the connection failed. A rejected request would be rejected again, and after a timeout the user
      // has waited long enough.
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiError && error.kind === 'network' && error.code !== timeoutCode,
      retryDelay: 500,
      // Report a request without network immediately. The default would pause it without an error.
      networkMode: 'always',
      // 'always' turns this off by default.
      refetchOnReconnect: true,
    },
  },
});

subscribeToSession(() => {
  const session = getSessionState();
  // This document stays until the sign-in page can be loaded.
  if (session.status === 'signed-out' && session.waits === true) queries.clear();
  if (isSessionReady()) void queries.refetchQueries({ type: 'active', stale: true });
});

/** Returns true if the service could not be reached, so the same request can succeed when it is back. */
const isInterrupted = (error: Error | null): boolean =>
  error instanceof ApiError && (error.kind === 'network' || error.status > 501);

/** Waits for everything that the first render shows: the session, the route and the prefetched responses. */
const loadInitialView = async (): Promise<void> => {
  await Promise.allSettled([sessionKnown, router.load()]);
  const session = getSessionState();
  if (session.status !== 'signed-in' || !isSessionReady() || !hasPrefetchedResponses()) return;
  await Promise.allSettled([
    prefetchUserQueries(queries, session.session.user),
    queries.query(firstPageQuery()),
  ]);
};

/** The page renders without the missing data after this time. */
const renderTimeoutMs = 300;

const render = (root: HTMLElement): void => {
  createRoot(root).render(
    <DocumentErrorBoundary>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </DocumentErrorBoundary>,
  );
  showQueuedToasts();
};

/** Milliseconds between two reloads of a page whose auth client cannot be loaded. */
const clientReloadMs = 3_600_000;

/** On a slow connection, the auth client does not wait longer for the data of the initial view. */
const clientDelayMs = 5000;

mountDocument((root) => {
  const timeout = new Promise((resolve) => setTimeout(resolve, renderTimeoutMs));
  const view = loadInitialView();
  // One render with all data takes half the time of several partial ones.
  void Promise.race([view, timeout]).then(() => render(root));
  const clientDelay = new Promise((resolve) => setTimeout(resolve, clientDelayMs));
  void Promise.race([view, clientDelay]).then(() =>
    startAuthClient(() => {
      if (!isChanging()) reloadOnce(clientReloadMs);
    }),
  );
});

/** The first screen has its data by then. */
const preloadDelayMs = 1500;

addEventListener('load', () => {
  setTimeout(
    () =>
      startPreloading(
        () => preloadNextOverlay() ?? preloadNextScreen(),
        () =>
          getSessionState().status === 'loading' ||
          router.state.isLoading ||
          isOverlayAwaited() ||
          queries.isFetching() > 0 ||
          isChanging(),
      ),
    preloadDelayMs,
  );
});
