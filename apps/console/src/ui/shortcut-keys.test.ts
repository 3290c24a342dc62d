import { describe, expect, it } from 'vitest';
import { isShortcut } from './shortcut-keys.ts';

const press = (key: string, held: readonly string[] = [], code = '') => ({
  key,
  code,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  shiftKey: held.includes('shift'),
  altKey: held.includes('alt'),
});

describe('shortcuts', () => {
  it('match Ctrl or Cmd with the key, also with Caps Lock', { tags: ['C073', 'C074'] }, () => {
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
  it.each([
    ['Russian', 'л', 'KeyK', 'k'],
    ['Russian with Caps Lock', 'И', 'KeyB', 'b'],
    ['Greek', 'κ', 'KeyK', 'k'],
    ['Hebrew', 'ל', 'KeyK', 'k'],
    ['Arabic', 'ن', 'KeyK', 'k'],
    ['Arabic', 'لا', 'KeyB', 'b'],
    ['Arabic', 'Unidentified', 'KeyB', 'b'],
    ['Georgian', 'კ', 'KeyK', 'k'],
    ['Thai', 'ิ', 'KeyB', 'b'],
    ['Russian', '.', 'Slash', '/'],
    ['Arabic', 'ظ', 'Slash', '/'],
    ['Dvorak', 'k', 'KeyV', 'k'],
    ['Colemak', 'k', 'KeyN', 'k'],
  ])('match the physical key on a layout without Latin letters: %s %s', (_layout, key, code, shortcut) => {
    expect(isShortcut(press(key, ['ctrl'], code), shortcut)).toBe(true);
    expect(isShortcut(press(key, [], code), shortcut)).toBe(false);
    expect(isShortcut(press(key, ['ctrl', 'alt'], code), shortcut)).toBe(false);
  });
  it.each([
    ['Dvorak', 't', 'KeyK', 'k'],
    ['Turkish F', 'ç', 'KeyB', 'b'],
    ['German', '-', 'Slash', '/'],
    ['French', '!', 'Slash', '/'],
    ['a dead key', 'Dead', 'KeyK', 'k'],
    ['an input method', 'Process', 'KeyK', 'k'],
  ])('ignore the physical key on a layout with Latin letters: %s %s', (_layout, key, code, shortcut) => {
    expect(isShortcut(press(key, ['ctrl'], code), shortcut)).toBe(false);
  });
});
