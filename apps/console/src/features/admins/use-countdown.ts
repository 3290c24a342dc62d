/** Counts down a waiting time, also if the clock of the device is set meanwhile. */
import { useEffect, useState } from 'react';

/** Converts a time of the past to the clock that only runs forward. Both in milliseconds. */
const monotonicTime = (time: number): number => performance.now() - Math.max(0, Date.now() - time);

/**
 * Returns the remaining seconds.
 *
 * @param seconds waiting time in the response of the service, in seconds
 * @param since time of the response by the clock of the browser, in milliseconds
 */
export const useCountdown = (seconds: number, since: number): number => {
  const [start, setStart] = useState(() => ({ since, at: monotonicTime(since) }));
  const [now, setNow] = useState(start.at);
  if (start.since !== since) setStart({ since, at: monotonicTime(since) });
  const remaining = Math.max(0, Math.ceil(seconds - Math.max(0, now - start.at) / 1000));
  const running = remaining > 0;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  return remaining;
};
