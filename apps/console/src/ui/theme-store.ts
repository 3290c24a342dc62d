/** Stores the theme preference in local storage and applies it in every tab. */
import { useSyncExternalStore } from 'react';
import {
  darkQuery,
  readThemePreference,
  resolveTheme,
  type ThemePreference,
  themeStorageKey,
} from './theme.ts';

const listeners = new Set<() => void>();
// If local storage is blocked, the preference applies to the current document only.
let memoryPreference: string | null = null;

const readPreference = (): ThemePreference => readThemePreference(memoryPreference);

const applyTheme = (): void => {
  const root = document.documentElement;
  const theme = resolveTheme(readPreference(), matchMedia(darkQuery).matches);
  if (root.dataset['theme'] === theme) return;
  // Disables transitions during the change. Otherwise each control would fade separately.
  root.dataset['switching'] = '';
  root.dataset['theme'] = theme;
  requestAnimationFrame(() => requestAnimationFrame(() => delete root.dataset['switching']));
};

const updateTheme = (): void => {
  applyTheme();
  for (const listener of listeners) listener();
};

/**
 * Applies changes of the system theme and of other tabs. Call once per document; the boot script sets the
 * first theme.
 */
export const watchTheme = (): void => {
  matchMedia(darkQuery).addEventListener('change', updateTheme);
  addEventListener('storage', (event) => {
    if (event.key === themeStorageKey || event.key === null) updateTheme();
  });
};

export const setTheme = (preference: ThemePreference): void => {
  memoryPreference = preference;
  try {
    localStorage.setItem(themeStorageKey, preference);
  } catch {
    // Local storage is blocked. `memoryPreference` has the value.
  }
  updateTheme();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the current preference. */
export const useThemePreference = (): ThemePreference =>
  useSyncExternalStore(subscribe, readPreference, () => 'system');
