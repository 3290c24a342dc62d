/** Whether the browser lets the console store data. */
import { readStoredSession } from '../api/stored-session.ts';

export type StorageProblem = 'blocked' | 'full';

const probeKey = 'storage_probe';

/** Some browsers report blocked storage as one that is full without an item. */
const isFull = (error: unknown, storage: Storage): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError' && storage.length > 0;

const probe = (open: () => Storage): StorageProblem | null => {
  let storage: Storage | undefined;
  try {
    storage = open();
    storage.setItem(probeKey, probeKey);
    if (storage.getItem(probeKey) !== probeKey) return 'blocked';
    storage.removeItem(probeKey);
    return null;
  } catch (error) {
    return storage !== undefined && isFull(error, storage) ? 'full' : 'blocked';
  }
};

/** Returns why the console cannot be used, for example because site data is blocked; null if it can be used. */
export const storageProblem = (): StorageProblem | null => {
  const local = probe(() => localStorage);
  // The user can work on until the session is refreshed.
  const isUsable = local === null || (local === 'full' && readStoredSession() !== null);
  return isUsable ? probe(() => sessionStorage) : local;
};
