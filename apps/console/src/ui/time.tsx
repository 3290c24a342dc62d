/** Shows a timestamp in local time or relative to now, and the full local and UTC time on hover. */
import { useSyncExternalStore } from 'react';
import { formatDate, formatExactTime, formatFullTime, formatPastTime } from './format-time.ts';

interface TimeProps {
  /** RFC 3339. */
  value: string;
  /** Shows the date and the time to the second. Without it, only the date. */
  exact?: boolean;
  className?: string;
}

/** For list rows: not focusable. Panels use `TimeWithTooltip`. */
export function Time({ value, exact = false, className }: TimeProps): React.JSX.Element {
  return (
    <time dateTime={value} title={formatFullTime(value)} className={className}>
      {exact ? formatExactTime(value) : formatDate(value)}
    </time>
  );
}

/** Shows, for example, `5 minutes ago`. */
export function RelativeTime({ value }: { value: string }): React.JSX.Element {
  return (
    <time dateTime={value} title={formatFullTime(value)}>
      {formatPastTime(value, useNow())}
    </time>
  );
}

const tickMs = 15_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((each) => each()), tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

let readTimeMs = Date.now;

/** Sets the clock of all relative times. By default it is that of the device. */
export const setClock = (read: () => number): void => {
  readTimeMs = read;
};

/** Every render between two ticks has the same time, and a later one the time of its own tick. */
const currentTickMs = (): number => Math.floor(readTimeMs() / tickMs) * tickMs;

/** Returns the current time, at most 15 s old. All relative times share this clock, so that those on screen stay right. */
export const useNow = (): Date => new Date(useSyncExternalStore(subscribe, currentTickMs));
