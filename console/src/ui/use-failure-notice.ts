/** Tells a failed load once: not again when the screen is opened later with the old failure. */
import { useEffect, useRef } from 'react';

/**
 * @param failedAt time of the latest failure in ms, 0 for none.
 * @param raise called once for each failure that happens while the component is on screen.
 */
export const useFailureNotice = (failedAt: number, raise: () => void): void => {
  const told = useRef(failedAt);
  const latest = useRef(raise);
  useEffect(() => {
    latest.current = raise;
  });
  useEffect(() => {
    if (failedAt === told.current) return;
    told.current = failedAt;
    if (failedAt !== 0) latest.current();
  }, [failedAt]);
};
