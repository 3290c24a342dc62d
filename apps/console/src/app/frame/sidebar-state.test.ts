import { describe, expect, it } from 'vitest';
import { choiceFromCookie, formatSidebarCookie, isSidebarShortcut } from './sidebar-state.ts';

describe("the sidebar's cookie", () => {
  it('C306 lasts 604800 seconds and says which state', () => {
    expect(formatSidebarCookie(false)).toBe('sidebar_state=false; path=/; max-age=604800; SameSite=Lax');
    expect(formatSidebarCookie(true)).toContain('sidebar_state=true;');
  });

  it('C306 restores the choice; without it the width of the window decides', () => {
    expect(choiceFromCookie('a=b; sidebar_state=false')).toBe(false);
    expect(choiceFromCookie('sidebar_state=true; a=b')).toBe(true);
    for (const cookies of ['', 'xsidebar_state=false', 'sidebar_state=falsey'])
      expect(choiceFromCookie(cookies)).toBeNull();
  });
});

describe("the sidebar's keys", () => {
  const key = (given: Partial<KeyboardEvent>): KeyboardEvent =>
    ({ key: 'b', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...given }) as KeyboardEvent;

  it('C073 C074 are Ctrl+B and Cmd+B', () => {
    expect(isSidebarShortcut(key({ ctrlKey: true }))).toBe(true);
    expect(isSidebarShortcut(key({ metaKey: true }))).toBe(true);
    expect(isSidebarShortcut(key({ ctrlKey: true, key: 'B' }))).toBe(true);
  });

  it('leave every other combination to the browser', () => {
    const others = [
      {},
      { ctrlKey: true, shiftKey: true },
      { ctrlKey: true, altKey: true },
      { ctrlKey: true, metaKey: true },
    ];
    for (const given of [...others, { ctrlKey: true, key: 'n' }])
      expect(isSidebarShortcut(key(given))).toBe(false);
  });
});
