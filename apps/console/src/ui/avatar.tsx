/** A person's picture, or the initials where there is none. */
import { useState } from 'react';
import { cx } from './cx.ts';
import { initials } from './initials.ts';

interface AvatarProps {
  name: string;
  src?: string;
  className?: string;
}

export function Avatar({ name, src, className }: AvatarProps): React.JSX.Element {
  const [broken, setBroken] = useState<string>();
  return (
    <span
      role="img"
      aria-label={name}
      className={cx(
        'inline-flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-full bg-subtle text-xs font-semibold text-foreground select-none',
        className,
      )}
    >
      {src === undefined || src === broken ? (
        <span aria-hidden>{initials(name)}</span>
      ) : (
        <img src={src} alt="" className="size-full object-cover" onError={() => setBroken(src)} />
      )}
    </span>
  );
}
