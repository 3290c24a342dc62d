/** Activity screen, shown to platform administrators of a backend with this feature only. */
import { hasFeature } from '../api/runtime-config.ts';
import { ActivityScreen } from '../features/activity/activity-screen.tsx';
import { NotFoundScreen } from './pages/not-found-screen.tsx';
import { RequirePlatformAdmin } from './require-platform-admin.tsx';

export const GuardedActivityScreen = (): React.JSX.Element =>
  hasFeature('activity') ? (
    <RequirePlatformAdmin>
      <ActivityScreen />
    </RequirePlatformAdmin>
  ) : (
    <NotFoundScreen />
  );
