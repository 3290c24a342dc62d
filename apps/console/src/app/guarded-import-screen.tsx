/** Import screen, shown to platform administrators only. */
import { useQueryClient } from '@tanstack/react-query';
import { ImportScreen } from '../features/account-import/import-screen.tsx';
import { accountsKey } from '../features/accounts/accounts-list.ts';
import { hasFeature } from '../api/runtime-config.ts';
import { NotFoundScreen } from './pages/not-found-screen.tsx';
import { RequirePlatformAdmin } from './require-platform-admin.tsx';

export function GuardedImportScreen(): React.JSX.Element {
  const client = useQueryClient();
  if (!hasFeature('account-import')) return <NotFoundScreen />;
  // Not only invalidated: the palette searches a complete cached list without a request. The list that is already shown
  // after the user has left a running import is read again.
  const resetAccounts = (): void => void client.resetQueries({ queryKey: accountsKey });
  return (
    <RequirePlatformAdmin>
      <ImportScreen onImported={resetAccounts} />
    </RequirePlatformAdmin>
  );
}
