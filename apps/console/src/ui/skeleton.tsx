/**
 * A placeholder for text or an image that is loading. Hidden from screen readers: the container has
 * `aria-busy`.
 */
import { cx } from './cx.ts';

const shapes = { text: 'rounded-sm', box: 'rounded-md', circle: 'rounded-full' };

interface SkeletonProps {
  shape?: keyof typeof shapes;
  className?: string;
}

export function Skeleton({ shape = 'text', className }: SkeletonProps): React.JSX.Element {
  return (
    <span
      aria-hidden
      data-skeleton=""
      className={cx('block animate-pulse bg-border', shapes[shape], className)}
    />
  );
}
