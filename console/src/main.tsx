/** Starts the console's document: everything but the sign-in pages. */
import './styles/app.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { BackendError } from './backend-error.ts';
import { preloadScreens, router } from './routes.tsx';
import { followSession, isSessionReady, sessionState, subscribeToSession } from './session-store.ts';
import { followStaleChunks } from './stale-chunks.ts';
import { followTheme } from './theme-store.ts';
import { preloadCommandPalette } from './shell/command-palette-button.tsx';
import { SessionLostDialog } from './shell/require-session.tsx';
import { showHandedOverToasts } from './toast-handover.ts';
import { dropDoublePresses } from './ui/double-press.ts';
import { LazyConfirmDialog, LazySheet } from './ui/lazy-overlays.ts';

followStaleChunks();
followTheme();
dropDoublePresses();
followSession();

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

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}
showHandedOverToasts();
/** Milliseconds that the page has been at rest before it loads anything ahead, and between two looks. */
const pause = 1500;

/** Loads what may be wanted next, never beside what the screen that is there still waits for. */
const loadAhead = (): void => {
  if (sessionState().status === 'loading' || queries.isFetching() > 0) {
    setTimeout(loadAhead, pause);
    return;
  }
  preloadScreens();
  preloadCommandPalette();
  for (const part of [LazySheet, LazyConfirmDialog, SessionLostDialog]) part.preload();
};
addEventListener('load', () => void setTimeout(loadAhead, pause));
