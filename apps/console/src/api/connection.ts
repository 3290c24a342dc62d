/** Whether the service can be reached, and code that is loaded on demand. */
import { withTimeout } from './deadline.ts';
import { ApiError } from './errors.ts';

/** Milliseconds. */
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

/** Milliseconds until code counts as not loaded: a line can accept the request and never answer. */
export const codeTimeoutMs = 20_000;

export const codeMessage =
  'The code for this screen could not be loaded. Check your connection and try again.';

const codeError = (cause?: unknown): ApiError =>
  new ApiError({ kind: 'network', message: codeMessage, cause });

/**
 * Loads code with a time limit. After the limit, the code is loaded on: a later call can return it.
 *
 * @param load calls `import`
 * @throws ApiError if the code cannot be loaded, or not in time
 */
export const loadCode = async <Code>(load: () => Promise<Code>): Promise<Code> => {
  try {
    return await withTimeout(load(), codeTimeoutMs, codeError);
  } catch (error) {
    throw error instanceof ApiError ? error : codeError(error);
  }
};
