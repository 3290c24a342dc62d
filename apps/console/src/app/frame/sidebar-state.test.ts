import { describe, expect, it } from 'vitest';
import { choiceFromCookie, formatSidebarCookie, isSidebarShortcut } from './sidebar-state.ts';

describe('sidebar cookie', () => {
  it('stores the state for 604800 seconds', { tags: ['C306'] }, () => {
    expect(formatSidebarCookie(false)).toBe('sidebar_state=false; path=/; max-age=604800; SameSite=Lax');
    expect(formatSidebarCookie(true)).toContain('sidebar_state=true;');
  });

  it('restores the stored state, or returns null without one', { tags: ['C306'] }, () => {
    expect(choiceFromCookie('a=b; sidebar_state=false')).toBe(false);
    expect(choiceFromCookie('sidebar_state=true; a=b')).toBe(true);
    for (const cookies of ['', 'xsidebar_state=false', 'sidebar_state=falsey'])
      expect(choiceFromCookie(cookies)).toBeNull();
  });
});

describe('sidebar shortcut', () => {
  const key = (init: Partial<KeyboardEvent>): KeyboardEvent =>
    ({ key: 'b', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...init }) as KeyboardEvent;

  it('accepts Ctrl+B and Cmd+B', { tags: ['C073', 'C074'] }, () => {
    expect(isSidebarShortcut(key({ ctrlKey: true }))).toBe(true);
    expect(isSidebarShortcut(key({ metaKey: true }))).toBe(true);
    expect(isSidebarShortcut(key({ ctrlKey: true, key: 'B' }))).toBe(true);
  });

  it('ignores all other key combinations', () => {
    const others = [
      {},
      { ctrlKey: true, shiftKey: true },
      { ctrlKey: true, altKey: true },
      { ctrlKey: true, metaKey: true },
    ];
    for (const init of [...others, { ctrlKey: true, key: 'n' }])
      expect(isSidebarShortcut(key(init))).toBe(false);
  });
});
