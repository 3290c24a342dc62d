/** Sign of work that takes longer than a moment. */
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { cx } from './cx.ts';

interface SpinnerProps {
  /** What is being waited for; '' where a text beside the spinner says it already. */
  label?: string;
  className?: string;
}

/**
 * Invisible for its first 200 ms (by CSS, so no timer keeps running), because work that is over at
 * once should not flash.
 */
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
