/**
 * Notices within a second that a session was ended elsewhere, also in a tab that nobody touches: a
 * visible tab keeps one call open, which the service answers when the session ends.
 */
import { authorizedFetch, backendUrl } from '../api/auth.ts';
import { hasFeature } from '../api/runtime-config.ts';

/** Milliseconds between two checks whether there is something to wait for; no request by itself. */
const interval = 1000;
/** Milliseconds after the start, and after an answer that came at once or not at all. */
const pause = 5000;
/** An answer that took at least this long was waited for. Milliseconds. */
const waited = 2000;

let waiting: AbortController | null = null;
let notBefore = performance.now() + pause;

const canWait = (): boolean => document.visibilityState === 'visible' && navigator.onLine;

/** The refusal itself ends the session here; any other trouble is for the page's own calls to tell. */
const wait = async (): Promise<void> => {
  waiting = new AbortController();
  const began = performance.now();
  await authorizedFetch(`${backendUrl}/functions/v1/session-watch`, { signal: waiting.signal }).catch(
    () => undefined,
  );
  waiting = null;
  const now = performance.now();
  notBefore = now - began < waited ? now + pause : 0;
};

/** @param signedIn whether there is a session to look after. Called once per document. */
export const watchSession = (signedIn: () => boolean): void => {
  if (!hasFeature('session-watch')) return;
  const waitIfDue = (): void => {
    if (waiting === null && signedIn() && canWait() && performance.now() >= notBefore) void wait();
  };
  const lookAtOnce = (): void => {
    notBefore = 0;
    if (canWait()) waitIfDue();
    else waiting?.abort();
  };
  setInterval(waitIfDue, interval);
  addEventListener('focus', lookAtOnce);
  addEventListener('offline', lookAtOnce);
  document.addEventListener('visibilitychange', lookAtOnce);
};
