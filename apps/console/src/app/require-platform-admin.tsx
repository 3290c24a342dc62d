/** Shows its children to platform administrators only. */
import type { ReactNode } from 'react';
import { useIsPlatformAdmin } from '../session/use-session.tsx';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { AccessDeniedScreen } from './pages/access-denied-screen.tsx';

interface RequirePlatformAdminProps {
  /** Shown instead of the access-denied screen. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Shows a spinner until the role is known. */
export function RequirePlatformAdmin({ fallback, children }: RequirePlatformAdminProps): React.JSX.Element {
  const check = useIsPlatformAdmin();
  if (check.state === 'yes') return <>{children}</>;
  if (check.state === 'no') return <>{fallback ?? <AccessDeniedScreen />}</>;
  if (check.error === null) return <LoadingScreen />;
  return (
    <ErrorState
      title="Your role could not be checked"
      description={check.error.message}
      onRetry={check.retry}
      retrying={false}
    />
  );
}
