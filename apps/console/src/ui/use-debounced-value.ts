/** Debounces a value, so that not every keystroke sends a request. */
import { useEffect, useState } from 'react';

/** Returns the value once it has not changed for `delayMs` milliseconds. */
export const useDebouncedValue = <Value>(value: Value, delayMs: number): Value => {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
};
