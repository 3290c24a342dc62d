import { describe, expect, it } from 'vitest';
import { isShortcut } from './shortcut-keys.ts';

const press = (key: string, held: readonly string[] = []) => ({
  key,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  shiftKey: held.includes('shift'),
  altKey: held.includes('alt'),
});

describe('shortcuts', () => {
  it('match Ctrl or Cmd with the key, also with Caps Lock', () => {
    for (const key of ['k', 'K']) {
      expect(isShortcut(press(key, ['ctrl']), 'k')).toBe(true);
      expect(isShortcut(press(key, ['meta']), 'k')).toBe(true);
    }
  });
  it('match neither a key without a modifier nor additional modifiers', () => {
    for (const held of [[], ['shift'], ['alt'], ['ctrl', 'shift'], ['ctrl', 'alt'], ['ctrl', 'meta']]) {
      expect(isShortcut(press('k', held), 'k')).toBe(false);
    }
    expect(isShortcut(press('j', ['ctrl']), 'k')).toBe(false);
  });
  it('match a symbol with Shift, as on keyboards where / is Shift+7', () => {
    expect(isShortcut(press('/', ['ctrl', 'shift']), '/')).toBe(true);
    expect(isShortcut(press('/', ['ctrl']), '/')).toBe(true);
    expect(isShortcut(press('/', ['ctrl', 'alt']), '/')).toBe(false);
    expect(isShortcut(press('/'), '/')).toBe(false);
  });
});
