/** The clock of the service, estimated from the `Date` header of its responses: the clock of a device can be wrong. */

let offsetMs = 0;
const listeners = new Set<() => void>();

/**
 * Corrects the estimate, if the response contradicts it. A backend on another origin hides the header; then the clock of the
 * device counts.
 *
 * @param startedAt `performance.now()` when the request was sent
 */
export const observeServerTime = ({ headers }: Response, startedAt: number): void => {
  const dateMs = Date.parse(headers.get('Date') ?? '');
  // A cache answers with the time of its own response.
  if (Number.isNaN(dateMs) || headers.has('Age')) return;
  const receivedMs = Date.now();
  const sentMs = receivedMs - (performance.now() - startedAt);
  // The header has no milliseconds, and was written between these two moments.
  const next = Math.min(Math.max(offsetMs, dateMs - receivedMs), dateMs + 999 - sentMs);
  if (next === offsetMs) return;
  offsetMs = next;
  for (const listener of listeners) listener();
};

/** Returns the current time of the service, in milliseconds. */
export const serverTimeMs = (): number => Date.now() + offsetMs;

/** Returns the current time of the service. */
export const serverNow = (): Date => new Date(serverTimeMs());

/** Returns by how many milliseconds the clock of the service is ahead of that of the device. */
export const getClockOffsetMs = (): number => offsetMs;

/** Calls the listener when the estimate changes. Returns a function that ends this. */
export const subscribeToClockOffset = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
