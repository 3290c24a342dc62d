/** Keys that are pressed together with Ctrl, or with Cmd on Apple's keyboards. */

const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent);

/** How the shortcut is written for this keyboard: 'Ctrl+K' or '⌘K'. */
export const shortcutText = (key: string): string => `${isApple() ? '⌘' : 'Ctrl+'}${key.toUpperCase()}`;

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/**
 * True for exactly Ctrl or Cmd with this key; with Shift or Alt the keys belong to the browser. A sign
 * such as '/' may need Shift on some keyboards, so there Shift does not matter.
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
