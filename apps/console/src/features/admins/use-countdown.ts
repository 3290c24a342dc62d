/** Seconds that are left of a wait the service told, counted by this browser's clock alone. */
import { useEffect, useState } from 'react';

/**
 * @param seconds as the service said.
 * @param since when it said so, in milliseconds of this browser.
 */
export const useCountdown = (seconds: number, since: number): number => {
  const [now, setNow] = useState(since);
  const left = Math.max(0, Math.ceil(seconds - (Math.max(now, since) - since) / 1000));
  const running = left > 0;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  return left;
};
