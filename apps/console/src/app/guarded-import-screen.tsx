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
  // Removed, not only invalidated: the palette searches a complete cached list without a request.
  const removeAccounts = (): void => client.removeQueries({ queryKey: accountsKey });
  return (
    <RequirePlatformAdmin>
      <ImportScreen onImported={removeAccounts} />
    </RequirePlatformAdmin>
  );
}
