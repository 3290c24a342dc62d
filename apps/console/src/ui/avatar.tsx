/** The picture of a user, or their initials if there is no picture or it fails to load. */
import { useState } from 'react';
import { cx } from './cx.ts';
import { initials } from './initials.ts';

interface AvatarProps {
  name: string;
  src?: string;
  className?: string;
}

export function Avatar({ name, src, className }: AvatarProps): React.JSX.Element {
  const [failedSrc, setFailedSrc] = useState<string>();
  return (
    <span
      role="img"
      aria-label={name}
      className={cx(
        'inline-flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-full bg-subtle text-xs font-semibold text-foreground select-none',
        className,
      )}
    >
      {src === undefined || src === failedSrc ? (
        <span aria-hidden>{initials(name)}</span>
      ) : (
        <img src={src} alt="" className="size-full object-cover" onError={() => setFailedSrc(src)} />
      )}
    </span>
  );
}
