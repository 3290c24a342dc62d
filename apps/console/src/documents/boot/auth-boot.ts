/**
 * Runs before the first paint in the sign-in document, as its one blocking script (built to /boot.js):
 * sets the theme, and which prerendered part shows. Keep it tiny.
 */
import { initialView } from './initial-view.ts';
import { applyStoredTheme, readLocalStorage } from './boot-storage.ts';
import { sessionStorageKey } from '../../api/session-storage-key.ts';

const backend = (): string => {
  try {
    const config: unknown = JSON.parse(document.getElementById('runtime-config')?.textContent ?? '');
    const address: unknown = Reflect.get(Object(config), 'backendUrl');
    return typeof address === 'string' && address !== '' ? address : location.origin;
  } catch {
    return location.origin;
  }
};

applyStoredTheme();
const stored = readLocalStorage(sessionStorageKey(backend()));
document.documentElement.dataset['view'] = initialView(location.pathname, stored);
