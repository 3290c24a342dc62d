/** The page of a browser that does not let the console store data. */
import { createRoot } from 'react-dom/client';
import { readStoredSession } from '../api/stored-session.ts';
import { DocumentMessage } from './document-error-boundary.tsx';

type StorageProblem = 'blocked' | 'full';

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

const texts = (host: string) => ({
  blocked: {
    title: 'Your browser blocks data for this site',
    help: `Allow cookies and site data for ${host} in your browser settings, then reload this page. A link from an email stays valid.`,
  },
  full: {
    title: 'The storage of this site is full',
    help: `Delete the site data of ${host} in your browser settings, then reload this page. A link from an email stays valid.`,
  },
});

/** Shows what to change. Sends nothing, so a link in the URL stays valid. */
export const showStorageProblem = (root: HTMLElement, problem: StorageProblem): void => {
  document.documentElement.dataset['view'] = 'form';
  const { title, help } = texts(location.host)[problem];
  createRoot(root).render(
    <DocumentMessage>
      <h1 className="text-xl font-semibold">{title}</h1>
      <p className="text-muted">{help}</p>
    </DocumentMessage>,
  );
};
