/**
 * Sensitive changes need a session in which the user proved who they are a moment ago. When the service asks
 * for that, the one dialog of the page takes the proof, and the change is sent again.
 */
import { useSyncExternalStore } from 'react';
import { BackendError } from '../../backend-error.ts';
import { securityText } from './security-text.ts';

interface ProofRequest {
  readonly proven: Promise<boolean>;
  /** True once the service took a proof, false when the user gave up. */
  readonly settle: (proven: boolean) => void;
}

let request: ProofRequest | undefined;
const listeners = new Set<() => void>();

const become = (next: ProofRequest | undefined): void => {
  request = next;
  for (const listener of listeners) listener();
};

/** Changes that wait at the same time share one dialog. Resolves to false where no dialog is mounted any longer. */
const askForProof = (): Promise<boolean> => {
  if (request !== undefined) return request.proven;
  if (listeners.size === 0) return Promise.resolve(false);
  let resolve: (proven: boolean) => void = () => undefined;
  const proven = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  const next: ProofRequest = {
    proven,
    settle: (outcome) => {
      if (request === next) become(undefined);
      resolve(outcome);
    },
  };
  become(next);
  return proven;
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The request that waits for a proof, undefined while none does. */
export const useProofRequest = (): ProofRequest | undefined => useSyncExternalStore(subscribe, () => request);

/**
 * Runs a change, and once more after a proof where the service wants one.
 * @throws BackendError what `run` throws; `proof_canceled` when the user gave up, and nothing changed
 */
export const withProof = async <Result>(run: () => Promise<Result>): Promise<Result> => {
  try {
    return await run();
  } catch (error) {
    const needed = error instanceof BackendError && error.code === 'reauthentication_needed';
    if (!needed) throw error;
    if (!(await askForProof())) {
      throw new BackendError({ kind: 'auth', code: 'proof_canceled', message: securityText.proof.canceled });
    }
    return run();
  }
};
