/**
 * Loads the code of dialogs and screens before they are opened, so that they open immediately and also offline. One part
 * at a time, only while the user waits for nothing, and not on a slow or metered connection: a request of the user
 * would wait behind it.
 */

/** Milliseconds without a press before the next part, and between two checks. */
const quietMs = 1500;

/** A part that takes longer shows a slow connection, and no other part follows. */
const maxPartMs = 4000;

/** Bytes per second. Below, all parts together take longer than ten seconds. */
const minBytesPerSecond = 25_000;

/** Loaded files below this size say nothing about the connection, in bytes. */
const minSampleBytes = 10_000;

interface LoadedFile {
  /** 0 for a file from the cache. */
  readonly transferSize: number;
  readonly responseStart: number;
  readonly responseEnd: number;
}

/**
 * @param connection `navigator.connection`, which only some browsers have
 * @param files what the page has loaded so far
 */
export const isPreloadWorthwhile = (connection: unknown, files: readonly LoadedFile[]): boolean => {
  const property = (name: string): unknown => Reflect.get(Object(connection), name);
  if (property('saveData') === true || String(property('effectiveType')).endsWith('2g')) return false;
  return files
    .filter(({ transferSize }) => transferSize >= minSampleBytes)
    .every(
      ({ transferSize, responseStart, responseEnd }) =>
        (transferSize / Math.max(responseEnd - responseStart, 1)) * 1000 >= minBytesPerSecond,
    );
};

/**
 * @param loadNext starts to load the next part; undefined if all are loaded
 * @param isBusy true while the page loads something that the user waits for
 */
export const startPreloading = (
  loadNext: () => Promise<unknown> | undefined,
  isBusy: () => boolean,
): void => {
  let pressedAt = performance.now();
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, () => (pressedAt = performance.now()), { capture: true, passive: true });
  const preloadNext = async (): Promise<void> => {
    const isQuiet = performance.now() - pressedAt >= quietMs && !isBusy();
    if (!isQuiet) {
      setTimeout(() => void preloadNext(), quietMs);
      return;
    }
    const startedAt = performance.now();
    const part = loadNext();
    // The user sees the error of a part when they open it.
    await part?.catch(() => undefined);
    const isSlow = performance.now() - startedAt > maxPartMs;
    if (part !== undefined && !isSlow) setTimeout(() => void preloadNext());
  };
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  if (isPreloadWorthwhile(Reflect.get(navigator, 'connection'), files)) void preloadNext();
};
