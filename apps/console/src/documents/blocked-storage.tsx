/** The page of a browser that does not let the console store data. */
import { createRoot } from 'react-dom/client';

const probeKey = 'storage_probe';

/** Returns true if session storage or local storage cannot be written, for example because site data is blocked. */
export const isStorageBlocked = (): boolean => {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      storage.setItem(probeKey, probeKey);
      if (storage.getItem(probeKey) !== probeKey) return true;
      storage.removeItem(probeKey);
    }
    return false;
  } catch {
    return true;
  }
};

/** Shows what to change. Sends nothing, so a link in the URL stays valid. */
export const showBlockedStorage = (root: HTMLElement): void => {
  document.documentElement.dataset['view'] = 'form';
  createRoot(root).render(
    <main className="grid min-h-svh place-content-center p-6">
      <div role="alert" className="grid max-w-md gap-2">
        <h1 className="text-xl font-semibold">Your browser blocks the data of this site</h1>
        <p className="text-muted">
          {`Allow cookies and site data for ${location.host} in the settings of your browser, then reload this page. A link from an email stays valid.`}
        </p>
      </div>
    </main>,
  );
};
