/** The Admins screen behind its role (specification section 6). */
import { RequirePlatformAdmin } from '../access-denied/require-platform-admin.tsx';
import { AdminsScreen } from './admins-screen.tsx';

export const GuardedAdminsScreen = (): React.JSX.Element => (
  <RequirePlatformAdmin>
    <AdminsScreen />
  </RequirePlatformAdmin>
);
