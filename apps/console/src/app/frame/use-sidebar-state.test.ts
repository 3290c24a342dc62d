import { describe, expect, it } from 'vitest';
import { parseSidebarCookie, formatSidebarCookie } from './use-sidebar-state.ts';

describe('sidebar cookie', () => {
  it('stores the state for 604800 seconds', { tags: ['C306'] }, () => {
    expect(formatSidebarCookie(false)).toBe('sidebar_state=false; path=/; max-age=604800; SameSite=Lax');
    expect(formatSidebarCookie(true)).toContain('sidebar_state=true;');
  });

  it('restores the stored state, or returns null without one', { tags: ['C306'] }, () => {
    expect(parseSidebarCookie('a=b; sidebar_state=false')).toBe(false);
    expect(parseSidebarCookie('sidebar_state=true; a=b')).toBe(true);
    for (const cookies of ['', 'xsidebar_state=false', 'sidebar_state=falsey'])
      expect(parseSidebarCookie(cookies)).toBeNull();
  });
});
