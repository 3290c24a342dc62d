/** State of the sidebar. On wide screens a cookie stores it for seven days (requirement C306), and not local storage. */
import { useCallback, useEffect, useState } from 'react';
import { isShortcut, shortcutKeys } from '../../ui/shortcut-keys.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';

const cookieName = 'sidebar_state';
const cookieMaxAgeSeconds = 604_800;
/** Matches screens on which the sidebar opens as a sheet. */
const sheetQuery = '(max-width: 767.98px)';
/** Matches screens on which the sidebar starts collapsed: expanded, it leaves too little space for a table. */
const collapsedQuery = '(max-width: 1023.98px)';

/**
 * Parses `document.cookie`.
 *
 * @returns null if no state is stored
 */
export const parseSidebarCookie = (cookies: string): boolean | null => {
  const stored = cookies.split(';').map((cookie) => cookie.trim());
  if (stored.includes(`${cookieName}=false`)) return false;
  return stored.includes(`${cookieName}=true`) ? true : null;
};

/** Formats the cookie that stores the state. */
export const formatSidebarCookie = (expanded: boolean): string =>
  `${cookieName}=${String(expanded)}; path=/; max-age=${cookieMaxAgeSeconds}; SameSite=Lax`;

export interface SidebarState {
  readonly isNarrow: boolean;
  /** Wide screens: true for full width, false for icons only. */
  readonly expanded: boolean;
  /** Narrow screens: true while the sheet is open. */
  readonly sheetOpen: boolean;
  readonly toggle: () => void;
  readonly closeSheet: () => void;
}

export const useSidebarState = (): SidebarState => {
  const isNarrow = useMediaQuery(sheetQuery);
  const startsCollapsed = useMediaQuery(collapsedQuery);
  const [storedExpanded, setStoredExpanded] = useState(() => parseSidebarCookie(document.cookie));
  const expanded = storedExpanded ?? !startsCollapsed;
  const [sheetOpen, setSheetOpen] = useState(false);
  const toggle = useCallback(() => {
    if (isNarrow) {
      setSheetOpen((open) => !open);
      return;
    }
    document.cookie = formatSidebarCookie(!expanded);
    setStoredExpanded(!expanded);
  }, [isNarrow, expanded]);
  useEffect(() => {
    // The capture phase makes the shortcut work in text fields and dialogs too.
    const onKey = (event: KeyboardEvent): void => {
      if (!isShortcut(event, shortcutKeys.sidebar) || event.repeat) return;
      event.preventDefault();
      toggle();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [toggle]);
  const closeSheet = useCallback(() => setSheetOpen(false), []);
  return { isNarrow, expanded, sheetOpen: isNarrow && sheetOpen, toggle, closeSheet };
};
