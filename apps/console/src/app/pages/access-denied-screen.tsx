/** Shown instead of a screen that requires a role the user does not have. */
import { Link } from '@tanstack/react-router';
import ShieldX from 'lucide-react/icons/shield-x';
import { buttonStyle } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';

const title = 'Access Denied';
const text = "You don't have permission to access this page. Platform admin privileges are required.";

export function AccessDeniedScreen(): React.JSX.Element {
  return (
    <section
      aria-label={`${title} - ${text}`}
      className="grid min-h-[60svh] place-content-center justify-items-center gap-2 p-6 text-center"
    >
      <ShieldX aria-hidden className="mb-2 size-9 stroke-[1.5] text-muted" />
      <h1 id="screen-title" tabIndex={-1} className="text-xl font-semibold tracking-tight">
        {title}
      </h1>
      <p className="max-w-sm text-sm text-muted">{text}</p>
      <Link to="/admin/accounts" className={cx(buttonStyle({ variant: 'outline', size: 'sm' }), 'mt-3')}>
        Go to accounts
      </Link>
    </section>
  );
}
