/** Routes of the console document with their screens and search params. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Outlet,
  redirect,
  useRouterState,
} from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isStaleBuild } from '../api/authorized-fetch.ts';
import { isChanging } from '../api/deadline.ts';
import { canLoad } from '../api/connection.ts';
import { ApiError } from '../api/errors.ts';
// The start screen is part of the initial bundle. The other screens load lazily.
import { AccountsScreen } from '../features/accounts/accounts-screen.tsx';
import { accountsSearchParams } from '../features/accounts/accounts-search-params.ts';
import { adminsSearchParams } from '../features/admins/admins-search-params.ts';
import { securitySearchParams } from '../features/security/security-search-params.ts';
import { PlaceholderScreen } from './pages/placeholder-screen.tsx';
import { RequireSession } from './require-session.tsx';
import { RouteAnnouncer } from './route-announcer.tsx';
import { lazyScreen } from './lazy-screen.ts';
import { Shell } from './frame/shell.tsx';
import { hasUnsavedChanges } from '../forms/unsaved-changes.ts';
import { parseUrlSearch, parseUrlState, stringifyUrlSearch } from '../shared/url-state.ts';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { closeLayerOnBack, closeLayersAfterNavigation } from '../ui/back-layers.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { ScreenHeader } from '../ui/screen-header.tsx';
import { dismissErrorToasts } from '../ui/toast.ts';
import { Toaster } from '../ui/toaster.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Name of the screen in the document title and for screen readers. */
    title?: string;
  }
  interface Register {
    router: typeof router;
  }
}

function Root(): React.JSX.Element {
  return (
    <>
      <Outlet />
      <RouteAnnouncer />
      <Toaster />
    </>
  );
}

/** Error state of a screen. The frame stays usable. Retries when the browser is online again. */
function ScreenError({ error, reset }: ErrorComponentProps): React.JSX.Element {
  const title = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.title ?? '' });
  const retry = useCallback(() => {
    reset();
    void router.invalidate();
  }, [reset]);
  useEffect(() => {
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [retry]);
  return (
    <div className="grid gap-4 [#root>&]:p-6">
      <ScreenHeader title={title} />
      <div role="alert">
        <ErrorState
          title="This screen could not be shown"
          // The text of any other error is for developers.
          description={error instanceof ApiError ? error.message : 'An unexpected error occurred.'}
          onRetry={retry}
          retrying={false}
        />
      </div>
    </div>
  );
}

/** Opens a page of the sign-in document. The full load discards all data in memory. */
function OtherDocument({ to }: { to: string }): React.JSX.Element {
  useEffect(() => location.replace(to), [to]);
  return <LoadingScreen />;
}

const NotFoundScreen = lazyScreen(async () => (await import('./pages/not-found-screen.tsx')).NotFoundScreen);
const AdminsScreen = lazyScreen(
  async () => (await import('./guarded-admins-screen.tsx')).GuardedAdminsScreen,
);
const ActivityScreen = lazyScreen(
  async () => (await import('./guarded-activity-screen.tsx')).GuardedActivityScreen,
);
const HandoverScreen = lazyScreen(
  async () => (await import('./guarded-handover-screen.tsx')).GuardedHandoverScreen,
);
const InviteListScreen = lazyScreen(
  async () => (await import('./guarded-invite-list-screen.tsx')).GuardedInviteListScreen,
);
const NotificationsScreen = lazyScreen(
  async () => (await import('../features/notifications/notifications-screen.tsx')).NotificationsScreen,
);
const StyleguideScreen = lazyScreen(
  async () => (await import('../features/styleguide/styleguide-screen.tsx')).StyleguideScreen,
);
const ImportScreen = lazyScreen(
  async () => (await import('./guarded-import-screen.tsx')).GuardedImportScreen,
);
const SecurityScreen = lazyScreen(
  async () => (await import('../features/security/security-screen.tsx')).SecurityScreen,
);

/** The screens that are not preloaded yet. */
const waitingScreens = [
  AdminsScreen,
  ActivityScreen,
  HandoverScreen,
  NotificationsScreen,
  StyleguideScreen,
  SecurityScreen,
  ImportScreen,
  InviteListScreen,
  NotFoundScreen,
];

/** Loads the code of one more screen. Returns undefined if there is none. */
export const preloadNextScreen = (): Promise<unknown> | undefined => {
  const screen = waitingScreens.shift();
  return screen === undefined ? undefined : Promise.resolve(screen.preload?.());
};

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundScreen,
  staticData: { title: 'Page not found' },
});

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: () => <OtherDocument to="/auth" />,
});

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'admin',
  component: () => (
    <RequireSession>
      <Outlet />
    </RequireSession>
  ),
});

const adminHomeRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/accounts', replace: true });
  },
});

/** Unknown paths below /admin require a session, then show the not-found screen without the frame. */
const adminUnknownRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '$',
  component: NotFoundScreen,
  staticData: { title: 'Page not found' },
});

const shellRoute = createRoute({
  getParentRoute: () => adminRoute,
  id: 'shell',
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
});

const placeholder = <const Path extends string>(path: Path, title: string, text: string) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    staticData: { title },
    component: () => <PlaceholderScreen title={title} text={text} />,
  });

const accountsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'accounts',
  staticData: { title: 'Accounts' },
  validateSearch: (search) => parseUrlState(accountsSearchParams, search),
  component: AccountsScreen,
});

const inviteListRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'platform-admins/invite-list',
  staticData: { title: 'Invite from a List' },
  component: InviteListScreen,
});

const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'accounts/import',
  staticData: { title: 'Import Accounts' },
  component: ImportScreen,
});

const adminsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'platform-admins',
  staticData: { title: 'Admins' },
  validateSearch: (search) => parseUrlState(adminsSearchParams, search),
  loader: () => AdminsScreen.preload?.(),
  component: AdminsScreen,
});

const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'notifications',
  staticData: { title: 'Notifications' },
  component: NotificationsScreen,
});

const styleguideRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'styleguide',
  staticData: { title: 'Styleguide' },
  component: StyleguideScreen,
});

const securityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'me/security',
  staticData: { title: 'Security' },
  validateSearch: (search) => parseUrlState(securitySearchParams, search),
  component: SecurityScreen,
});

const activityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'activity',
  staticData: { title: 'Activity' },
  component: ActivityScreen,
});

const handoverRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'handover',
  staticData: { title: 'Handover' },
  component: HandoverScreen,
});

const handoverSheetRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'handover/sheet',
  staticData: { title: 'Emergency sheet' },
  component: HandoverScreen,
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  adminRoute.addChildren([
    adminHomeRoute,
    adminUnknownRoute,
    shellRoute.addChildren([
      placeholder('analytics', 'Global Analytics', 'Analytics dashboard coming soon'),
      accountsRoute,
      importRoute,
      adminsRoute,
      inviteListRoute,
      notificationsRoute,
      styleguideRoute,
      securityRoute,
      activityRoute,
      handoverRoute,
      handoverSheetRoute,
      placeholder('subtypes', 'Subtypes', 'Subtypes management coming soon'),
      placeholder('repository', 'Repository', 'Repository coming soon'),
      placeholder('logs', 'Logs', 'Logs viewer coming soon'),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  parseSearch: parseUrlSearch,
  stringifySearch: stringifyUrlSearch,
  defaultPreload: 'intent',
  defaultPreloadDelay: 30,
  scrollRestoration: true,
  notFoundMode: 'root',
  // Delays the spinner, then shows it long enough to avoid a flash.
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
  defaultPendingComponent: () => <LoadingScreen />,
  defaultErrorComponent: ScreenError,
});

// Before the questions about unsaved input: a layer that covers the page is closed first.
router.history.block({
  blockerFn: ({ action }) => {
    if (action === 'BACK') return closeLayerOnBack();
    if (action === 'FORWARD' || action === 'GO') closeLayersAfterNavigation();
    return false;
  },
  enableBeforeUnload: false,
});

// An error toast belongs to the screen that caused it.
router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) dismissErrorToasts();
});

/** Not without a line, not while a change is running, which would be aborted, and not over unsaved input. */
const loadNewBuild = async (): Promise<void> => {
  const loadable = await canLoad(location.pathname);
  if (loadable && !isChanging() && !hasUnsavedChanges()) location.reload();
};

// A stale build navigates by a full load: its code may no longer fit the responses.
router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged && isStaleBuild()) void loadNewBuild();
});
