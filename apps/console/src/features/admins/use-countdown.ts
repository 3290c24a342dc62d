/** Counts down a waiting time by the clock of the browser. */
import { useEffect, useState } from 'react';

/**
 * Returns the remaining seconds.
 *
 * @param seconds waiting time in the response of the service, in seconds
 * @param since time of the response by the clock of the browser, in milliseconds
 */
export const useCountdown = (seconds: number, since: number): number => {
  const [now, setNow] = useState(since);
  const remaining = Math.max(0, Math.ceil(seconds - (Math.max(now, since) - since) / 1000));
  const running = remaining > 0;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  return remaining;
};
