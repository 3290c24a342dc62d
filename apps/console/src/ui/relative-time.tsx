/** Shows a timestamp relative to now. */
import { useSyncExternalStore } from 'react';
import { clockTimeMs } from './clock.ts';
import { formatPastTime } from './format-relative-time.ts';
import { formatFullTime } from './format-time.ts';

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

/** Every render between two ticks has the same time, and a later one the time of its own tick. */
const currentTickMs = (): number => Math.floor(clockTimeMs() / tickMs) * tickMs;

/** Returns the current time, at most 15 s old. All relative times share this clock, so that those on screen stay right. */
export const useNow = (): Date => new Date(useSyncExternalStore(subscribe, currentTickMs));
