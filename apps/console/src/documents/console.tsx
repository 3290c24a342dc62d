/** Starts the console's document: everything but the sign-in pages. */
import '../styles/app.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { firstPageQuery } from '../features/accounts/accounts-list.ts';
import { BackendError } from '../api/errors.ts';
import { hasPrefetchedResponses } from '../api/prefetch.ts';
import { preloadScreens, router } from '../app/router.tsx';
import { prefetchUserQueries } from '../session/use-session.tsx';
import {
  startSessionStore,
  isSessionReady,
  getSessionState,
  subscribeToSession,
} from '../session/session-store.ts';
import { handleStaleChunks } from '../app/stale-build.ts';
import { watchTheme } from '../ui/theme-store.ts';
import { preloadCommandPalette } from '../app/palette/command-palette-button.tsx';
import { SessionEndedDialog } from '../app/require-session.tsx';
import { showQueuedToasts } from '../ui/queued-toasts.ts';
import { installDoubleClickGuard } from '../ui/double-click-guard.ts';
import { LazyConfirmDialog, LazySheet } from '../ui/lazy-overlays.ts';

handleStaleChunks();
watchTheme();
installDoubleClickGuard();
const sessionKnown = startSessionStore();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Nothing is read as nobody: a page whose session was lost waits for its person.
      enabled: isSessionReady,
      staleTime: 30_000,
      // One more try where nothing answered; a refusal would only be refused again.
      retry: (failures, error) => failures < 1 && error instanceof BackendError && error.kind === 'network',
      retryDelay: 500,
      // A request without network fails at once and says so, instead of waiting unseen.
      networkMode: 'always',
      // Said again because 'always' turns it off.
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

subscribeToSession(() => {
  if (isSessionReady()) void queries.refetchQueries({ type: 'active', stale: true });
});

/** Everything that the first picture shows and that nobody has to be waited for. */
const firstPicture = async (): Promise<void> => {
  await Promise.allSettled([sessionKnown, router.load()]);
  const session = getSessionState();
  if (session.status !== 'signed-in' || !isSessionReady() || !hasPrefetchedResponses()) return;
  await Promise.allSettled([
    prefetchUserQueries(queries, session.session.user),
    queries.query(firstPageQuery()),
  ]);
};

/** Milliseconds after which the page shows what it has. */
const patience = 300;

const show = (root: HTMLElement): void => {
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  showQueuedToasts();
};

const root = document.getElementById('root');
// Rendered once, with everything in it, instead of step by step: that is half the work.
if (root !== null) {
  const wait = new Promise((resolve) => setTimeout(resolve, patience));
  void Promise.race([firstPicture(), wait]).then(() => show(root));
}

/** Milliseconds that the page has been at rest before it loads anything ahead, and between two looks. */
const pause = 1500;

/** Loads what may be wanted next, never beside what the screen that is there still waits for. */
const loadAhead = (): void => {
  if (getSessionState().status === 'loading' || queries.isFetching() > 0) {
    setTimeout(loadAhead, pause);
    return;
  }
  preloadScreens();
  preloadCommandPalette();
  for (const part of [LazySheet, LazyConfirmDialog, SessionEndedDialog]) part.preload();
};
addEventListener('load', () => void setTimeout(loadAhead, pause));
