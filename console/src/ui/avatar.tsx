/** A person's picture, or the initials where there is none. */
import { Avatar as Primitive } from '@base-ui/react/avatar';
import { cx } from './cx.ts';
import { initials } from './initials.ts';

interface AvatarProps {
  name: string;
  src?: string;
  className?: string;
}

export function Avatar({ name, src, className }: AvatarProps): React.JSX.Element {
  return (
    <Primitive.Root
      role="img"
      aria-label={name}
      className={cx(
        'inline-flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-full bg-subtle text-xs font-semibold text-foreground select-none',
        className,
      )}
    >
      {src !== undefined && <Primitive.Image src={src} alt="" className="size-full object-cover" />}
      <Primitive.Fallback aria-hidden>{initials(name)}</Primitive.Fallback>
    </Primitive.Root>
  );
}
