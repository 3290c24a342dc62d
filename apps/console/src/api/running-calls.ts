/** Calls of the auth client, some of which replace the session. */
import { changeTimeoutMs, timeoutError, withTimeout } from './deadline.ts';
import { readStoredSession } from './stored-session.ts';

const runningCalls = new Set<Promise<unknown>>();

/** Registers a call until it is settled. */
export const addRunningCall = (call: Promise<unknown>): void => {
  runningCalls.add(call);
  void call.catch(() => undefined).finally(() => runningCalls.delete(call));
};

/**
 * Waits for the running calls of the client, and returns true if the session with this token is still stored. The
 * service can already reject this token while the response with its replacement is on the way to the client.
 */
export const isTokenStored = async (token: string): Promise<boolean> => {
  const settled = Promise.allSettled(runningCalls);
  // With a time limit, because a call can wait for the user, for example for a passkey.
  await withTimeout(settled, changeTimeoutMs, timeoutError).catch(() => undefined);
  return readStoredSession()?.access_token === token;
};
