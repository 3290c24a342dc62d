/** A grey shape where text or a picture will be. Silent: the container says that it is busy. */
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
