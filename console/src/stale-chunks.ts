/**
 * A page that outlives its build asks for files that are gone. One reload brings the new build; when
 * that does not help (a broken deployment), the error shows instead of reloading for ever.
 */
const key = 'reloaded_for_new_build_at';
const pause = 30_000;

/** True when enough time has passed since the last reload of this kind. */
export const mayReload = (last: string | null, now: number): boolean => {
  const at = Number(last ?? '');
  return last === null || !Number.isFinite(at) || now - at >= pause || at > now;
};

export const followStaleChunks = (): void => {
  addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine || !mayReload(sessionStorage.getItem(key), Date.now())) return;
    // The failed import would otherwise reject into an error screen just before the reload.
    event.preventDefault();
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
};
