/**
 * Handover page and its sheet, shown to platform administrators only. One screen for both URLs, which keeps the initial bundle
 * small. Absent with backends that lack the functions.
 */
import { useLocation } from '@tanstack/react-router';
import { hasFeature } from '../api/runtime-config.ts';
import { HandoverScreen } from '../features/handover/handover-screen.tsx';
import { HandoverSheetScreen } from '../features/handover/sheet-screen.tsx';
import { NotFoundScreen } from './pages/not-found-screen.tsx';
import { RequirePlatformAdmin } from './require-platform-admin.tsx';

export function GuardedHandoverScreen(): React.JSX.Element {
  const isSheet = useLocation({ select: ({ pathname }) => /sheet\/?$/.test(pathname) });
  if (!hasFeature('handover')) return <NotFoundScreen />;
  return (
    <RequirePlatformAdmin>{isSheet ? <HandoverSheetScreen /> : <HandoverScreen />}</RequirePlatformAdmin>
  );
}
