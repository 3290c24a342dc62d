/** Checks whether a page of the console can be loaded. */

const loadTimeoutMs = 5000;

/**
 * Returns true if a page of the console can be loaded. Otherwise the browser would replace this one by its error page.
 * `navigator.onLine` is only a hint: a service on this device needs no network.
 */
export const canLoad = async (path: string): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(loadTimeoutMs);
    return (await fetch(path, { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
};

/** Resolves when the browser comes online, or after the timeout. */
export const waitUntilOnline = (timeoutMs: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, timeoutMs);
    addEventListener('online', end);
  });
