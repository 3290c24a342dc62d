/**
 * Ignores calls while one is running. `disabled` takes effect only on the next render, so a second click can
 * arrive before it.
 */
import { useCallback, useRef } from 'react';

/** Returns a function that runs `work` unless the previous work is still running. It never rejects. */
export const useSingleFlight = (): ((work: () => Promise<unknown>) => Promise<void>) => {
  const running = useRef(false);
  return useCallback(async (work) => {
    if (running.current) return;
    running.current = true;
    // The work itself reports its error.
    await work().catch(() => undefined);
    running.current = false;
  }, []);
};
