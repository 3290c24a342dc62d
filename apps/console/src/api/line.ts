/** Whether the service can be reached. `navigator.onLine` is only a hint: a service on this device needs no network. */

/** Milliseconds. */
const loadTimeoutMs = 5000;

/** Returns true if a page of the console can be loaded. Otherwise the browser would replace this one by its error page. */
export const canLoad = async (path: string): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(loadTimeoutMs);
    return (await fetch(path, { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
};

/** Waits, but not longer than until the browser reports a connection. @param intervalMs milliseconds */
export const waitForLine = (intervalMs: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, intervalMs);
    addEventListener('online', end);
  });
