/**
 * A page that outlives its build asks for files that are gone. One reload brings the new build; when
 * that does not help (a broken deployment), the error shows instead of reloading for ever. A page
 * that holds typed input is never reloaded: the person is told, and chooses when.
 */
import { hasUnsavedChanges } from '../forms/unsaved-changes.ts';
import { toast } from '../ui/toast.ts';

const key = 'reloaded_for_new_build_at';
const pause = 30_000;

/** True when enough time has passed since the last reload of this kind. */
export const canReload = (last: string | null, now: number): boolean => {
  const at = Number(last ?? '');
  return last === null || !Number.isFinite(at) || now - at >= pause || at > now;
};

let told = false;

const tellOnce = (): void => {
  if (told) return;
  told = true;
  toast({
    action: 'stale-build',
    title: 'This page may be out of date',
    description: 'Copy your unsaved input, then reload the page.',
    variant: 'destructive',
  });
};

export const handleStaleChunks = (): void => {
  addEventListener('vite:preloadError', (event) => {
    if (navigator.onLine && hasUnsavedChanges()) {
      tellOnce();
      return;
    }
    if (!navigator.onLine || !canReload(sessionStorage.getItem(key), Date.now())) return;
    // The failed import would otherwise reject into an error screen just before the reload.
    event.preventDefault();
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
};
