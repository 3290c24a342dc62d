/** Whether the sidebar is open. On wide screens the choice lasts seven days, in a cookie. */
import { useCallback, useEffect, useState } from 'react';
import { useMediaQuery } from '../../ui/use-media-query.ts';

const cookieName = 'sidebar_state';
const cookieSeconds = 604_800;
/** The sidebar is a sheet. */
const narrow = '(max-width: 767.98px)';
/** The full sidebar would leave too little room for a table. */
const medium = '(max-width: 1023.98px)';

/** The stored choice in a cookie header's text; null when there is none. */
export const choiceFromCookie = (cookies: string): boolean | null => {
  const stored = cookies.split(';').map((each) => each.trim());
  if (stored.includes(`${cookieName}=false`)) return false;
  return stored.includes(`${cookieName}=true`) ? true : null;
};

/** The text that stores a choice. */
export const formatSidebarCookie = (expanded: boolean): string =>
  `${cookieName}=${String(expanded)}; path=/; max-age=${cookieSeconds}; SameSite=Lax`;

/** True for exactly Ctrl+B or Cmd+B: with Shift or Alt the keys belong to the browser. */
export const isSidebarShortcut = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'b' && event.ctrlKey !== event.metaKey && !event.shiftKey && !event.altKey;

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
  const isNarrow = useMediaQuery(narrow);
  const isMedium = useMediaQuery(medium);
  const [choice, setChoice] = useState(() => choiceFromCookie(document.cookie));
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
