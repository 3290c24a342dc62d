/** The one clock of all relative times, so that a time in a mounted panel stays right. */
import { useSyncExternalStore } from 'react';

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
const currentTickMs = (): number => Math.floor(Date.now() / tickMs) * tickMs;

/** Returns the current time, at most 15 s old. */
export const useNow = (): Date => new Date(useSyncExternalStore(subscribe, currentTickMs));
