/** Keyboard shortcuts with Ctrl, or with Cmd on Apple devices. */

const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent);

/** Returns the label of a shortcut on this platform: `Ctrl+K` or `⌘K`. */
export const shortcutText = (key: string): string => `${isApple() ? '⌘' : 'Ctrl+'}${key.toUpperCase()}`;

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/**
 * Returns true for Ctrl or Cmd with this key. Shift or Alt make it another shortcut, usually of the browser.
 * For a symbol such as `/`, Shift is ignored, because some keyboard layouts require it.
 */
export const isShortcut = (event: KeyPress, key: string): boolean => {
  const isLetter = /^[a-z]$/.test(key);
  return (
    event.key.toLowerCase() === key &&
    event.ctrlKey !== event.metaKey &&
    !event.altKey &&
    !(isLetter && event.shiftKey)
  );
};
