/** Remembers a value, for content that must not change during a closing transition. */
import { useState } from 'react';

/** Returns the value, or while it is undefined the last one that was not. */
export function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
