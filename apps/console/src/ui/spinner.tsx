/** An indicator for work that takes noticeable time. */
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { cx } from './cx.ts';

const sizes = {
  /** `inline`: the size and color of the text next to it. */
  inline: 'size-4 text-current',
  md: 'size-5 text-muted',
  lg: 'size-7 text-muted',
};

interface SpinnerProps {
  /** Accessible name; '' if a visible text describes the work already. */
  label?: string;
  size?: keyof typeof sizes;
  className?: string;
}

/** Invisible for the first 200 ms (by CSS, without a timer), so that short work does not cause a flash. */
export function Spinner({ label = 'Loading', size = 'md', className }: SpinnerProps): React.JSX.Element {
  const named = label === '' ? { 'aria-hidden': true } : { role: 'status', 'aria-label': label };
  return (
    <span
      {...named}
      className={cx(
        'inline-flex shrink-0 transition-opacity delay-200 duration-100 starting:opacity-0',
        sizes[size],
        className,
      )}
    >
      <LoaderCircle aria-hidden className="size-full animate-spin" />
    </span>
  );
}

/** A full page with a spinner and an optional progress text. */
export function LoadingScreen({ text }: { text?: string }): React.JSX.Element {
  return (
    <div className="grid min-h-[50svh] flex-1 place-content-center justify-items-center gap-3 p-6 text-center">
      <Spinner size="lg" label={text === undefined ? 'Loading' : ''} />
      {text !== undefined && (
        <p role="status" className="text-sm text-muted">
          {text}
        </p>
      )}
    </div>
  );
}
