/** A value that has not changed for a moment, so that not every key asks the service. */
import { useEffect, useState } from 'react';

/** @param pause in ms. */
export const useDebouncedValue = <Value>(value: Value, pause: number): Value => {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return paused;
};
