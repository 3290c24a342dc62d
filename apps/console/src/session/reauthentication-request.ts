/** The request that opens the reauthentication dialog. */
import { useSyncExternalStore } from 'react';

export interface ReauthenticationRequest {
  readonly verified: Promise<boolean>;
  /** Resolves `verified`: true after the service verified the user, false if the user canceled. */
  readonly settle: (verified: boolean) => void;
}

let request: ReauthenticationRequest | undefined;
const listeners = new Set<() => void>();

const setRequest = (next: ReauthenticationRequest | undefined): void => {
  request = next;
  for (const listener of listeners) listener();
};

/** Concurrent changes share one dialog. Resolves to false if no dialog is mounted. */
export const requestReauthentication = (): Promise<boolean> => {
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
