/** Checks whether a page of the console can be loaded. */

const loadTimeoutMs = 5000;

/** Loads a page of the console. Returns null if the service cannot be reached or rejects it. */
export const loadPage = async (path: string): Promise<string | null> => {
  try {
    const response = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(loadTimeoutMs) });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
};

/**
 * Returns true if a page of the console can be loaded. Otherwise the browser would replace this one by its error page.
 * `navigator.onLine` is only a hint: a service on this device needs no network.
 */
export const canLoad = async (path: string): Promise<boolean> => (await loadPage(path)) !== null;

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
