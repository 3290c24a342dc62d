/** The screens that load on demand, and who may see them. */
import { useQueryClient } from '@tanstack/react-query';
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadCode } from '../api/load-code.ts';
import { hasFeature } from '../api/runtime-config.ts';
import { accountsKey } from '../features/accounts/accounts-list.ts';
import { RequireAdministrator } from './require-administrator.tsx';

type Screen = AsyncRouteComponent<object>;

const waitingScreens: Screen[] = [];

/** Loads the code of one more screen. Returns undefined if there is none. */
export const preloadNextScreen = (): Promise<unknown> | undefined => {
  const screen = waitingScreens.shift();
  return screen === undefined ? undefined : Promise.resolve(screen.preload?.());
};

/**
 * Creates a screen that fails with an `ApiError`. TanStack Router reloads the page on a failed import, also while offline.
 * With this error only `stale-build.ts` reloads, and the error screen shows a readable message.
 */
const lazyScreen = (load: () => Promise<ComponentType>): Screen => {
  const screen = lazyRouteComponent(async () => ({ default: await loadCode(load) }));
  waitingScreens.push(screen);
  return screen;
};

export const NotFoundScreen = lazyScreen(async () => (await import('./not-found-screen.tsx')).NotFoundScreen);

export const MembershipScreen = lazyScreen(
  async () => (await import('./membership-screen.tsx')).MembershipScreen,
);

const administratorScreen = (load: () => Promise<ComponentType>): Screen =>
  lazyScreen(async () => {
    const Content = await load();
    return () => (
      <RequireAdministrator>
        <Content />
      </RequireAdministrator>
    );
  });

/** Other backends have no such screen. */
const extensionScreen = (load: () => Promise<ComponentType>): Screen =>
  hasFeature('extensions') ? administratorScreen(load) : NotFoundScreen;

export const AdminsScreen = administratorScreen(
  async () => (await import('../features/admins/admins-screen.tsx')).AdminsScreen,
);

export const ActivityScreen = extensionScreen(
  async () => (await import('../features/activity/activity-screen.tsx')).ActivityScreen,
);

export const HandoverScreen = extensionScreen(
  async () => (await import('../features/handover/handover-screen.tsx')).HandoverScreen,
);

export const HandoverSheetScreen = extensionScreen(
  async () => (await import('../features/handover/sheet-screen.tsx')).HandoverSheetScreen,
);

export const NotificationsScreen = lazyScreen(
  async () => (await import('../features/notifications/notifications-screen.tsx')).NotificationsScreen,
);

export const StyleguideScreen = lazyScreen(
  async () => (await import('../features/styleguide/styleguide-screen.tsx')).StyleguideScreen,
);

export const SecurityScreen = lazyScreen(
  async () => (await import('../features/security/security-screen.tsx')).SecurityScreen,
);

export const ImportScreen = extensionScreen(async () => {
  const [{ CsvRunScreen }, { accountImport }, { RecentImports, recentImportsQuery }] = await Promise.all([
    import('../shared/csv-run/csv-run-screen.tsx'),
    import('../features/account-import/account-import.ts'),
    import('../features/account-import/recent-imports.tsx'),
  ]);
  return function ImportWithAccounts() {
    const client = useQueryClient();
    // Not only invalidated: the palette searches a complete cached list without a request. The list that is already shown
    // after the user has left a running import is read again.
    const resetAccounts = (): void => {
      void client.resetQueries({ queryKey: accountsKey });
      void client.invalidateQueries({ queryKey: recentImportsQuery.queryKey });
    };
    return (
      <CsvRunScreen list={accountImport} onSent={resetAccounts}>
        {(sending) => <RecentImports sending={sending} onUndone={resetAccounts} />}
      </CsvRunScreen>
    );
  };
});

export const ContactImportScreen = extensionScreen(async () => {
  const [{ CsvRunScreen }, { contactImport }] = await Promise.all([
    import('../shared/csv-run/csv-run-screen.tsx'),
    import('../features/contact-import/contact-import.ts'),
  ]);
  return function ImportWithContacts() {
    const client = useQueryClient();
    // The search text of accounts has changed: see `ImportScreen`.
    const resetAccounts = (): void => {
      void client.resetQueries({ queryKey: accountsKey });
      void client.invalidateQueries({ queryKey: ['account-contacts'] });
    };
    return <CsvRunScreen list={contactImport} onSent={resetAccounts} />;
  };
});

export const InviteListScreen = extensionScreen(async () => {
  const [{ CsvRunScreen }, { inviteList }, { invitationsQuery }] = await Promise.all([
    import('../shared/csv-run/csv-run-screen.tsx'),
    import('../features/invite-list/invite-list.ts'),
    import('../features/admins/admins-queries.ts'),
  ]);
  return function InviteListWithInvitations() {
    const client = useQueryClient();
    const { queryKey } = invitationsQuery;
    const readInvitations = (): void => void client.invalidateQueries({ queryKey });
    return <CsvRunScreen list={inviteList} onSent={readInvitations} />;
  };
});
