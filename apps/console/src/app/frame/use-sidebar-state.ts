/** State of the sidebar. On wide screens a cookie stores it for seven days. */
import { useCallback, useEffect, useState } from 'react';
import { isShortcut } from '../../ui/shortcut-keys.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';

const cookieName = 'sidebar_state';
const cookieMaxAgeSeconds = 604_800;
/** The sidebar opens as a sheet. */
const narrow = '(max-width: 767.98px)';
/** The sidebar starts collapsed, because an expanded one leaves too little space for a table. */
const medium = '(max-width: 1023.98px)';

/**
 * Parses `document.cookie`.
 *
 * @returns null if no state is stored
 */
export const parseSidebarCookie = (cookies: string): boolean | null => {
  const stored = cookies.split(';').map((each) => each.trim());
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
  const isNarrow = useMediaQuery(narrow);
  const isMedium = useMediaQuery(medium);
  const [choice, setChoice] = useState(() => parseSidebarCookie(document.cookie));
  const expanded = choice ?? !isMedium;
  const [sheetOpen, setSheetOpen] = useState(false);
  const toggle = useCallback(() => {
    if (isNarrow) {
      setSheetOpen((open) => !open);
      return;
    }
    document.cookie = formatSidebarCookie(!expanded);
    setChoice(!expanded);
  }, [isNarrow, expanded]);
  useEffect(() => {
    // The capture phase makes the shortcut work in text fields and dialogs too.
    const onKey = (event: KeyboardEvent): void => {
      if (!isShortcut(event, 'b') || event.repeat) return;
      event.preventDefault();
      toggle();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [toggle]);
  const closeSheet = useCallback(() => setSheetOpen(false), []);
  return { isNarrow, expanded, sheetOpen: isNarrow && sheetOpen, toggle, closeSheet };
};
