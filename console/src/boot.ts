/**
 * Runs before the first paint in both documents, as the one blocking script (built to /boot.js):
 * sets the theme, and which prerendered part of the sign-in document shows. Keep it tiny.
 */
import { firstView } from './boot-decision.ts';
import { sessionStorageKey } from './session-storage-key.ts';
import { darkQuery, shownTheme, themeChoiceFrom, themeStorageKey } from './theme.ts';

const root = document.documentElement;

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const backend = (): string => {
  try {
    const config: unknown = JSON.parse(document.getElementById('runtime-config')?.textContent ?? '');
    const address: unknown = Reflect.get(Object(config), 'backendUrl');
    return typeof address === 'string' && address !== '' ? address : location.origin;
  } catch {
    return location.origin;
  }
};

root.dataset['theme'] = shownTheme(themeChoiceFrom(read(themeStorageKey)), matchMedia(darkQuery).matches);
root.dataset['view'] = firstView(location.pathname, read(sessionStorageKey(backend())));
