/** Shows its children to administrators only. */
import { Link } from '@tanstack/react-router';
import ShieldX from 'lucide-react/icons/shield-x';
import type { ReactNode } from 'react';
import { useIsAdministrator } from '../session/use-session.tsx';
import { buttonStyle } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { screenTitleId } from '../ui/screen-header.tsx';
import { LoadingScreen } from '../ui/spinner.tsx';

interface RequireAdministratorProps {
  /** Shown instead of the access-denied screen (requirement C226). */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Shows a spinner until the role is known. */
export function RequireAdministrator({ fallback, children }: RequireAdministratorProps): React.JSX.Element {
  const check = useIsAdministrator();
  if (check.state === 'yes') return <>{children}</>;
  if (check.state === 'no') return <>{fallback ?? <AccessDenied />}</>;
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

function AccessDenied(): React.JSX.Element {
  const title = 'Access Denied';
  const text = "You don't have permission to access this page. Platform admin privileges are required.";
  return (
    <section
      aria-label={`${title} - ${text}`}
      className="grid min-h-[60svh] place-content-center justify-items-center gap-2 p-6 text-center"
    >
      <ShieldX aria-hidden className="mb-2 size-9 stroke-[1.5] text-muted" />
      <h1 id={screenTitleId} tabIndex={-1} className="text-xl font-semibold tracking-tight">
        {title}
      </h1>
      <p className="max-w-sm text-sm text-muted">{text}</p>
      <Link to="/admin/accounts" className={cx(buttonStyle({ variant: 'outline', size: 'sm' }), 'mt-3')}>
        Go to accounts
      </Link>
    </section>
  );
}
