/** A placeholder for text or an image that is loading. Hidden from screen readers: the container has `aria-busy`. */
import { cx } from './cx.ts';

export function Skeleton({ className }: { className?: string }): React.JSX.Element {
  return (
    <span
      aria-hidden
      data-skeleton=""
      className={cx('block animate-pulse rounded-sm bg-border', className)}
    />
  );
}
