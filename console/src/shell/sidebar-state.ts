/** Whether the sidebar is open. On wide screens the choice lasts seven days, in a cookie. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';

const cookieName = 'sidebar_state';
const cookieSeconds = 604_800;
const narrow = '(max-width: 767.98px)';

/** The stored choice in a cookie header's text; expanded when there is none. */
export const expandedFromCookie = (cookies: string): boolean =>
  !cookies.split(';').some((each) => each.trim() === `${cookieName}=false`);

/** The text that stores a choice. */
export const cookieFor = (expanded: boolean): string =>
  `${cookieName}=${String(expanded)}; path=/; max-age=${cookieSeconds}; SameSite=Lax`;

/** True for exactly Ctrl+B or Cmd+B: with Shift or Alt the keys belong to the browser. */
export const isSidebarShortcut = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'b' && event.ctrlKey !== event.metaKey && !event.shiftKey && !event.altKey;

const subscribeToWidth = (listener: () => void): (() => void) => {
  const query = matchMedia(narrow);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

/** True below 768 px, where the sidebar is a sheet. */
const useIsNarrow = (): boolean => useSyncExternalStore(subscribeToWidth, () => matchMedia(narrow).matches);

export interface SidebarState {
  readonly isNarrow: boolean;
  /** Wide screens: full width or icons only. */
  readonly expanded: boolean;
  /** Narrow screens: the sheet is open. */
  readonly sheetOpen: boolean;
  readonly toggle: () => void;
  readonly closeSheet: () => void;
}

export const useSidebarState = (): SidebarState => {
  const isNarrow = useIsNarrow();
  const [expanded, setExpanded] = useState(() => expandedFromCookie(document.cookie));
  const [sheetOpen, setSheetOpen] = useState(false);
  const toggle = useCallback(() => {
    if (isNarrow) {
      setSheetOpen((open) => !open);
      return;
    }
    document.cookie = cookieFor(!expanded);
    setExpanded(!expanded);
  }, [isNarrow, expanded]);
  useEffect(() => {
    // Captured, so that it works wherever the focus is, also in text fields and dialogs.
    const onKey = (event: KeyboardEvent): void => {
      if (!isSidebarShortcut(event) || event.repeat) return;
      event.preventDefault();
      toggle();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [toggle]);
  const closeSheet = useCallback(() => setSheetOpen(false), []);
  return { isNarrow, expanded, sheetOpen: isNarrow && sheetOpen, toggle, closeSheet };
};
