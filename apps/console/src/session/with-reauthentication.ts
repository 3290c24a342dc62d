/**
 * Sensitive changes require a recently authenticated session. If the service rejects a change for this
 * reason, the reauthentication dialog opens, and the change is sent again afterwards.
 */
import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/errors.ts';

export interface ReauthenticationRequest {
  readonly verified: Promise<boolean>;
  /** Resolves `verified`: true after the service verified the user, false if the user canceled. */
  readonly settle: (verified: boolean) => void;
}

const canceledMessage = 'You canceled the confirmation. Nothing was changed.';

let request: ReauthenticationRequest | undefined;
const listeners = new Set<() => void>();

const setRequest = (next: ReauthenticationRequest | undefined): void => {
  request = next;
  for (const listener of listeners) listener();
};

/** Concurrent changes share one dialog. Resolves to false if no dialog is mounted. */
const requestReauthentication = (): Promise<boolean> => {
  if (request !== undefined) return request.verified;
  if (listeners.size === 0) return Promise.resolve(false);
  let resolve: (verified: boolean) => void = () => undefined;
  const verified = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  const next: ReauthenticationRequest = {
    verified,
    settle: (outcome) => {
      if (request === next) setRequest(undefined);
      resolve(outcome);
    },
  };
  setRequest(next);
  return verified;
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the pending request, or undefined. */
export const useReauthenticationRequest = (): ReauthenticationRequest | undefined =>
  useSyncExternalStore(subscribe, () => request);

/**
 * Runs a change. If the service requires a fresh session, runs it again after the user reauthenticated.
 *
 * @param signal of the press: after Cancel, no dialog opens and nothing is sent again
 * @throws ApiError the error of `run`; `reauthentication_canceled` if the user canceled, and nothing
 *   changed
 */
export const withReauthentication = async <Result>(
  run: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> => {
  try {
    return await run();
  } catch (error) {
    const needed = error instanceof ApiError && error.code === 'reauthentication_needed';
    if (!needed) throw error;
    signal.throwIfAborted();
    if (!(await requestReauthentication())) {
      throw new ApiError({ kind: 'auth', code: 'reauthentication_canceled', message: canceledMessage });
    }
    signal.throwIfAborted();
    return run();
  }
};
