/** The chosen theme of this browser: kept in local storage, followed by every tab. */
import { useSyncExternalStore } from 'react';
import {
  darkQuery,
  resolveTheme,
  type ThemePreference,
  parseThemePreference,
  themeStorageKey,
} from './theme.ts';

const listeners = new Set<() => void>();
// Where storage is blocked the choice lasts as long as the document.
let memory: string | null = null;

const read = (): ThemePreference => {
  try {
    return parseThemePreference(localStorage.getItem(themeStorageKey) ?? memory);
  } catch {
    return parseThemePreference(memory);
  }
};

const show = (): void => {
  const root = document.documentElement;
  const theme = resolveTheme(read(), matchMedia(darkQuery).matches);
  if (root.dataset['theme'] === theme) return;
  // A switch is one step: without this every control would fade on its own.
  root.dataset['switching'] = '';
  root.dataset['theme'] = theme;
  requestAnimationFrame(() => requestAnimationFrame(() => delete root.dataset['switching']));
};

const changed = (): void => {
  show();
  for (const listener of listeners) listener();
};

/** Follows the system and the other tabs. Called once per document; the boot script has set the first theme. */
export const watchTheme = (): void => {
  matchMedia(darkQuery).addEventListener('change', changed);
  addEventListener('storage', (event) => {
    if (event.key === themeStorageKey || event.key === null) changed();
  });
};

export const setTheme = (choice: ThemePreference): void => {
  memory = choice;
  try {
    localStorage.setItem(themeStorageKey, choice);
  } catch {
    // Blocked storage: `memory` holds it.
  }
  changed();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The current choice. */
export const useThemePreference = (): ThemePreference =>
  useSyncExternalStore(subscribe, read, () => 'system');
