/**
 * The only blocking script of the sign-in document (built to /boot.js): applies the theme and selects the
 * prerendered initial view before the first paint, and holds presses until hydration. Keep it small.
 */
import { initialView } from './initial-view.ts';
import { applyStoredTheme, readLocalStorage } from './boot-storage.ts';
import { sessionStorageKey } from '../../api/session-storage-key.ts';
import { holdPresses } from '../../ui/held-presses.ts';

const backendUrl = (): string => {
  try {
    const config: unknown = JSON.parse(document.getElementById('runtime-config')?.textContent ?? '');
    const url: unknown = Reflect.get(Object(config), 'backendUrl');
    return typeof url === 'string' && url !== '' ? url : location.origin;
  } catch {
    return location.origin;
  }
};

holdPresses();
applyStoredTheme();
const stored = readLocalStorage(sessionStorageKey(backendUrl()));
document.documentElement.dataset['view'] = initialView(location.pathname, stored);
