/** An indicator for work that takes noticeable time. */
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { cx } from './cx.ts';

interface SpinnerProps {
  /** Accessible name; '' if a visible text describes the work already. */
  label?: string;
  className?: string;
}

/** Invisible for the first 200 ms (by CSS, without a timer), so that short work does not cause a flash. */
export function Spinner({ label = 'Loading', className }: SpinnerProps): React.JSX.Element {
  const named = label === '' ? { 'aria-hidden': true } : { role: 'status', 'aria-label': label };
  return (
    <span
      {...named}
      className={cx(
        'inline-flex size-5 shrink-0 text-muted transition-opacity delay-200 duration-100 starting:opacity-0',
        className,
      )}
    >
      <LoaderCircle aria-hidden className="size-full animate-spin" />
    </span>
  );
}
