/** Routes of the console document with their screens and search params. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Outlet,
  redirect,
  type RouteComponent,
  useRouterState,
} from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isStaleBuild } from '../api/fetch-with-session.ts';
import { isChanging } from '../api/deadline.ts';
import { canLoad } from '../api/can-load.ts';
import { ApiError } from '../api/errors.ts';
// The start screen is part of the initial bundle.
import { AccountsScreen } from '../features/accounts/accounts-screen.tsx';
import { accountsSearchParams } from '../features/accounts/accounts-search-params.ts';
import { adminsSearchParams } from '../features/admins/admins-search-params.ts';
import { handoverSearchParams } from '../features/handover/handover-period.ts';
import { securitySearchParams } from '../features/security/security-search-params.ts';
import { sidebarEntries } from './navigation.ts';
import { RequireSession } from './require-session.tsx';
import { RouteAnnouncer } from './route-announcer.tsx';
import {
  ActivityScreen,
  AdminsScreen,
  ContactImportScreen,
  HandoverScreen,
  HandoverSheetScreen,
  ImportScreen,
  InviteListScreen,
  MembershipScreen,
  NotFoundScreen,
  NotificationsScreen,
  SecurityScreen,
  StyleguideScreen,
} from './screens.tsx';
import { Shell } from './frame/shell.tsx';
import { hasUnsavedChanges } from '../forms/unsaved-changes.ts';
import { accountFilterParams } from '../shared/account-filter-params.ts';
import { parseUrlSearch, parseUrlState, stringifyUrlSearch, type UrlSchema } from '../shared/url-state.ts';
import { LoadingScreen } from '../ui/spinner.tsx';
import { closeLayerOnBack, closeLayersAfterNavigation } from '../ui/back-layers.ts';
import { EmptyState } from '../ui/empty-state.tsx';
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

/** @param title label of the sidebar entry, which provides the icon */
function PlaceholderScreen({ title, text }: { title: string; text: string }): React.JSX.Element {
  const Icon = sidebarEntries.find(({ label }) => label === title)?.icon;
  return (
    <div className="grid gap-6">
      <ScreenHeader title={title} />
      <div className="rounded-lg border border-dashed border-border bg-surface">
        <EmptyState icon={Icon === undefined ? undefined : <Icon />} title={text} />
      </div>
    </div>
  );
}

/** Opens a page of the sign-in document. The full load discards all data in memory. */
function OtherDocument({ to }: { to: string }): React.JSX.Element {
  useEffect(() => location.replace(to), [to]);
  return <LoadingScreen />;
}

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

/** Without the frame: an accepted invitation as a member opens no console. */
const membershipRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: 'membership',
  component: MembershipScreen,
  staticData: { title: 'Your membership' },
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

/** @param schema gives the types of the search params in links; the screen reads them itself */
const screen = <const Path extends string, Schema extends UrlSchema>(
  path: Path,
  title: string,
  component: RouteComponent,
  schema = {} as Schema,
) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    staticData: { title },
    validateSearch: (search) => parseUrlState(schema, search),
    component,
  });

/** A screen without a function. */
const placeholder = <const Path extends string>(path: Path, title: string, text: string) =>
  screen(path, title, () => <PlaceholderScreen title={title} text={text} />);

const routeTree = rootRoute.addChildren([
  homeRoute,
  adminRoute.addChildren([
    adminHomeRoute,
    membershipRoute,
    adminUnknownRoute,
    shellRoute.addChildren([
      placeholder('analytics', 'Global Analytics', 'Analytics dashboard coming soon'),
      screen('accounts', 'Accounts', AccountsScreen, accountsSearchParams),
      screen('accounts/import', 'Import Accounts', ImportScreen),
      screen('accounts/import-contacts', 'Import Contacts', ContactImportScreen),
      screen('platform-admins', 'Admins', AdminsScreen, adminsSearchParams),
      screen('platform-admins/invite-list', 'Invite from a List', InviteListScreen),
      screen('notifications', 'Notifications', NotificationsScreen),
      screen('styleguide', 'Styleguide', StyleguideScreen),
      screen('me/security', 'Security', SecurityScreen, securitySearchParams),
      screen('activity', 'Activity', ActivityScreen),
      screen('handover', 'Handover', HandoverScreen, handoverSearchParams),
      screen('handover/sheet', 'Emergency sheet', HandoverSheetScreen, accountFilterParams),
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

// Before the confirmation dialogs about unsaved input: a layer that covers the page is closed first.
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

/** Reloads the page unless the service is unreachable, a running change would be aborted, or unsaved input would be lost. */
const loadNewBuild = async (): Promise<void> => {
  const loadable = await canLoad(location.pathname);
  if (loadable && !isChanging() && !hasUnsavedChanges()) location.reload();
};

// A stale build navigates by a full load: its code may no longer fit the responses.
router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged && isStaleBuild()) void loadNewBuild();
});
