/**
 * Reloads a page whose build has been replaced, because its remaining chunks no longer exist. After an interruption of the
 * line they still exist, so the page stays. Reloads at most once per cooldown, so that a broken deployment shows the error
 * instead of a reload loop. A page with unsaved input is not reloaded: a toast asks the user to reload.
 */
import { runtimeConfigElementId } from '@lanternrock/contract/runtime';
import { loadPage } from '../api/can-load.ts';
import { hasUnsavedChanges } from '../forms/unsaved-changes.ts';
import { toast } from '../ui/toast.ts';

const storageKey = 'reloaded_for_new_build_at';
const cooldownMs = 30_000;

/**
 * Returns true if the cooldown has passed since the last reload.
 *
 * @param last stored time of the last reload in milliseconds, or null
 * @param nowMs current time in milliseconds
 * @param minIntervalMs since the last reload, in milliseconds
 */
export const canReload = (last: string | null, nowMs: number, minIntervalMs = cooldownMs): boolean => {
  const lastMs = Number(last ?? '');
  return last === null || !Number.isFinite(lastMs) || nowMs - lastMs >= minIntervalMs || lastMs > nowMs;
};

/**
 * Returns true if a page belongs to a different build than a document.
 *
 * @param html the page as the service sends it now, or null if it cannot be loaded
 * @param scripts paths of the scripts of the document. Their names change with each build
 */
export const isOtherBuild = (html: string | null, scripts: readonly string[]): boolean => {
  // The page of a captive portal is not a page of the console.
  if (html === null || !html.includes(runtimeConfigElementId)) return false;
  return scripts.some((path) => !html.includes(path));
};

/** Paths of the scripts of this document, without those that a browser extension added. */
const listScripts = (): string[] =>
  [...document.querySelectorAll('script[type="module"]')]
    .map((script) => script.getAttribute('src') ?? '')
    .filter((path) => path.startsWith('/'));

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

/**
 * Reloads the page at most once per cooldown. A page with unsaved input asks the user to.
 *
 * @param minIntervalMs since the last reload, in milliseconds
 */
export const reloadOnce = (minIntervalMs = cooldownMs): void => {
  if (hasUnsavedChanges()) {
    warnOnce();
    return;
  }
  if (!canReload(sessionStorage.getItem(storageKey), Date.now(), minIntervalMs)) return;
  sessionStorage.setItem(storageKey, String(Date.now()));
  location.reload();
};

const reloadStale = async (): Promise<void> => {
  if (isOtherBuild(await loadPage(location.pathname), listScripts())) reloadOnce();
};

export const handleStaleChunks = (): void => addEventListener('vite:preloadError', () => void reloadStale());
