/** Keyboard shortcuts with Ctrl, or with Cmd on Apple devices. */

/** The keys of all shortcuts. */
export const shortcutKeys = { palette: 'k', sidebar: 'b', list: '/' } as const;

const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent);

/** Returns the label of a shortcut on this platform: `Ctrl+K` or `⌘K`. */
export const shortcutText = (key: string): string => `${isApple() ? '⌘' : 'Ctrl+'}${key.toUpperCase()}`;

/** Returns the value of `aria-keyshortcuts`: `Control+K Meta+K`. */
export const ariaShortcut = (key: string): string => `Control+${key.toUpperCase()} Meta+${key.toUpperCase()}`;

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/**
 * Returns the character of the key on a Latin layout. A layout without Latin letters, such as Greek, has none, so the
 * position of the key counts. A key can have several characters, such as the ligature on the B key of Arabic layouts,
 * or be reported as unidentified. On a layout with Latin letters only the letter counts: its position differs.
 */
const latinKey = ({ key, code }: KeyPress): string => {
  const [letter] = /(?<=^Key)[A-Z]$/.exec(code) ?? [];
  if (letter !== undefined && (key === 'Unidentified' || /^\P{Script=Latin}+$/u.test(key)))
    return letter.toLowerCase();
  // The same key has the full stop on Cyrillic, Greek and Hebrew layouts.
  if (code === 'Slash' && (key === '.' || /^[^\p{ASCII}\p{Script=Latin}]$/u.test(key))) return '/';
  return key.toLowerCase();
};

/**
 * Returns true for Ctrl or Cmd with this key. Shift or Alt make it another shortcut, usually of the browser.
 * For a symbol such as `/`, Shift is ignored, because some keyboard layouts require it.
 */
export const isShortcut = (event: KeyPress, key: string): boolean => {
  const isLetter = /^[a-z]$/.test(key);
  return (
    latinKey(event) === key &&
    event.ctrlKey !== event.metaKey &&
    !event.altKey &&
    !(isLetter && event.shiftKey)
  );
};
