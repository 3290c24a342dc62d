/** The Admins screen behind its role (specification section 6). */
import { RequirePlatformAdmin } from './require-platform-admin.tsx';
import { AdminsScreen } from '../features/admins/admins-screen.tsx';

export const GuardedAdminsScreen = (): React.JSX.Element => (
  <RequirePlatformAdmin>
    <AdminsScreen />
  </RequirePlatformAdmin>
);
