/** Says that the clock of the device is wrong. Times relative to now follow the clock of the service. */
import Clock from 'lucide-react/icons/clock-alert';
import { useSyncExternalStore } from 'react';
import { getClockOffsetMs, subscribeToClockOffset } from '../../api/server-clock.ts';
import { formatDuration } from '../../ui/format-time.ts';

/** A smaller difference changes no relative time by more than its rounding. */
const minOffsetMs = 120_000;

const getError = (): number => {
  const offsetMs = getClockOffsetMs();
  return Math.abs(offsetMs) < minOffsetMs ? 0 : -Math.round(offsetMs / 60_000) * 60_000;
};

export function ClockBanner(): React.JSX.Element {
  const errorMs = useSyncExternalStore(subscribeToClockOffset, getError);
  return (
    <div role="status">
      {errorMs !== 0 && (
        <p className="flex items-center gap-2 border-b border-border bg-warning-subtle px-4 py-2 text-sm text-foreground md:px-6">
          <Clock aria-hidden className="size-4 shrink-0 text-accent-strong" />
          The clock of this device is {formatDuration(Math.abs(errorMs))} {errorMs > 0 ? 'fast' : 'slow'}.
          This page uses the time of the service.
        </p>
      )}
    </div>
  );
}
