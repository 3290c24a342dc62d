/**
 * Reloads a page whose build has been replaced, because its remaining chunks no longer exist. Reloads at
 * most once per cooldown, so that a broken deployment shows the error instead of a reload loop. A page
 * with unsaved input is not reloaded: a toast tells the user to reload.
 */
import { canLoad } from '../api/can-load.ts';
import { hasUnsavedChanges } from '../forms/unsaved-changes.ts';
import { toast } from '../ui/toast.ts';

const storageKey = 'reloaded_for_new_build_at';
const cooldownMs = 30_000;

/**
 * Returns true if the cooldown has passed since the last reload.
 *
 * @param last stored time of the last reload in milliseconds, or null
 * @param nowMs current time in milliseconds
 */
export const canReload = (last: string | null, nowMs: number): boolean => {
  const lastMs = Number(last ?? '');
  return last === null || !Number.isFinite(lastMs) || nowMs - lastMs >= cooldownMs || lastMs > nowMs;
};

let warned = false;

const warnOnce = (): void => {
  if (warned) return;
  warned = true;
  toast({
    action: 'stale-build',
    title: 'This page may be out of date',
    description: 'Copy your unsaved input, then reload the page.',
    variant: 'destructive',
  });
};

const reloadStale = async (): Promise<void> => {
  // While the service is unreachable, a chunk cannot be loaded either, and a reload would show the browser's error page.
  if (!(await canLoad(location.pathname))) return;
  if (hasUnsavedChanges()) {
    warnOnce();
    return;
  }
  if (!canReload(sessionStorage.getItem(storageKey), Date.now())) return;
  sessionStorage.setItem(storageKey, String(Date.now()));
  location.reload();
};

export const handleStaleChunks = (): void => addEventListener('vite:preloadError', () => void reloadStale());
