/**
 * Detects within a second that the session was revoked, also in an idle tab. A visible tab keeps one long
 * poll open, and the service responds to it when the session ends.
 */
import { fetchWithSession } from '../api/fetch-with-session.ts';
import { backendUrl } from '../api/backend.ts';
import { hasFeature } from '../api/runtime-config.ts';

/** Milliseconds between two checks whether a long poll is due. The check itself sends no request. */
const checkIntervalMs = 1000;
/** Milliseconds before the first long poll, and after one that failed or ended early. */
const cooldownMs = 5000;
/** A long poll that took less than this ended early. Milliseconds. */
const minPollMs = 2000;

/** Longer than the service holds a long poll. Milliseconds. */
const pollTimeoutMs = 40_000;

/** Called when the service accepts long polls: after an outage, what failed can be read again. */
let notifyReachable = (): void => undefined;

let poll: AbortController | null = null;
let notBefore = performance.now() + cooldownMs;

const canPoll = (): boolean => document.visibilityState === 'visible';

/**
 * Sends one long poll. `fetchWithSession` removes a rejected session; other requests of the page report other
 * errors.
 */
const runPoll = async (): Promise<void> => {
  poll = new AbortController();
  const startedAt = performance.now();
  const reachable = setTimeout(notifyReachable, minPollMs);
  await fetchWithSession(
    `${backendUrl}/functions/v1/session-watch`,
    { signal: poll.signal },
    pollTimeoutMs,
  ).catch(() => undefined);
  clearTimeout(reachable);
  poll = null;
  const now = performance.now();
  notBefore = now - startedAt < minPollMs ? now + cooldownMs : 0;
};

/**
 * Starts the long polls. Call once per document.
 *
 * @param isSignedIn returns true if there is a session to watch
 * @param onReachable called in each long poll after two seconds, when the service did not reject it
 */
export const watchSession = (isSignedIn: () => boolean, onReachable: () => void): void => {
  if (!hasFeature('extensions')) return;
  notifyReachable = onReachable;
  const pollIfDue = (): void => {
    if (poll === null && isSignedIn() && canPoll() && performance.now() >= notBefore) void runPoll();
  };
  const updatePoll = (): void => {
    notBefore = 0;
    if (canPoll()) pollIfDue();
    else poll?.abort();
  };
  setInterval(pollIfDue, checkIntervalMs);
  addEventListener('focus', updatePoll);
  addEventListener('online', updatePoll);
  document.addEventListener('visibilitychange', updatePoll);
};

/** Ends the current long poll. The service would respond with 401 when the user signs out. */
export const stopSessionWatch = (): void => poll?.abort();
