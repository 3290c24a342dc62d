/** The status of a record: its word, and a symbol and a color that are the same everywhere. */
import Archive from 'lucide-react/icons/archive';
import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import Circle from 'lucide-react/icons/circle';
import CircleCheck from 'lucide-react/icons/circle-check';
import CirclePause from 'lucide-react/icons/circle-pause';
import Clock from 'lucide-react/icons/clock';
import TimerOff from 'lucide-react/icons/timer-off';
import UserMinus from 'lucide-react/icons/user-minus';
import type { ComponentType, SVGProps } from 'react';
import { Badge, type BadgeVariant } from './badge.tsx';

interface Appearance {
  readonly Symbol: ComponentType<SVGProps<SVGSVGElement>>;
  readonly variant: BadgeVariant;
}

/** In the order of a life: in use, waiting, paused, ended. */
const appearances: Readonly<Record<string, Appearance>> = {
  active: { Symbol: CircleCheck, variant: 'success' },
  accepted: { Symbol: Check, variant: 'success' },
  pending: { Symbol: Clock, variant: 'secondary' },
  suspended: { Symbol: CirclePause, variant: 'warning' },
  archived: { Symbol: Archive, variant: 'secondary' },
  ended: { Symbol: TimerOff, variant: 'secondary' },
  expired: { Symbol: TimerOff, variant: 'destructive' },
  removed: { Symbol: UserMinus, variant: 'secondary' },
  revoked: { Symbol: Ban, variant: 'secondary' },
  banned: { Symbol: Ban, variant: 'destructive' },
};

const otherAppearance: Appearance = { Symbol: Circle, variant: 'secondary' };

/** Returns true for a status that lists show beside the name. Other backends may have rows without a status. */
export const isUnusualStatus = (status: string | null): boolean => Boolean(status) && status !== 'active';

interface StatusBadgeProps {
  /** The stored word. Other backends can have further ones. */
  status: string;
  /** Replaces the color of the status. */
  variant?: BadgeVariant;
  size?: 'sm' | 'md';
}

export function StatusBadge({ status, variant, size = 'md' }: StatusBadgeProps): React.JSX.Element {
  const appearance = Object.hasOwn(appearances, status) ? appearances[status] : undefined;
  const { Symbol, variant: ownVariant } = appearance ?? otherAppearance;
  return (
    <Badge variant={variant ?? ownVariant} size={size}>
      <Symbol aria-hidden className="mr-1 inline-block size-[1.1em] shrink-0 align-[-0.125em]" />
      <span className="inline-block first-letter:uppercase">{status}</span>
    </Badge>
  );
}
