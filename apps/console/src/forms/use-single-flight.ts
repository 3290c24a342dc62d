/** Two presses within one frame are one: a button is disabled only with the next render. */
import { useCallback, useRef } from 'react';

/** @returns a function that runs `work` unless the work before it is still going on; it never rejects. */
export const useSingleFlight = (): ((work: () => Promise<unknown>) => Promise<void>) => {
  const running = useRef(false);
  return useCallback(async (work) => {
    if (running.current) return;
    running.current = true;
    // Whoever started the work tells of its failure.
    await work().catch(() => undefined);
    running.current = false;
  }, []);
};
