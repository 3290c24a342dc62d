/** Admins screen, shown to platform administrators only. */
import { RequirePlatformAdmin } from './require-platform-admin.tsx';
import { AdminsScreen } from '../features/admins/admins-screen.tsx';

export const GuardedAdminsScreen = (): React.JSX.Element => (
  <RequirePlatformAdmin>
    <AdminsScreen />
  </RequirePlatformAdmin>
);
