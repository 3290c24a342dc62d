/** Moves the focus between rows of a virtual list by key, also to rows that are not rendered. */
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { rowHeight } from './row-height.ts';

interface RowKeys {
  /** Index of the row with the focus, which must stay rendered; undefined without one. */
  readonly focused: number | undefined;
  /** Handlers for the `tbody`. */
  readonly handlers: {
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
}

/** Returns the 0-based index of a row; -1 without a row. The header is row 1 in `aria-rowindex`. */
export const getRowIndex = (row: Element | null): number =>
  Number(row?.getAttribute('aria-rowindex') ?? 1) - 2;

/** Scrolls a row, which may not be rendered, to the middle of the window. */
export const scrollToRow = (body: HTMLElement, index: number): void => {
  const distance = body.getBoundingClientRect().top + index * rowHeight(body) - innerHeight / 2;
  // Either the container or the page can scroll, so one call has no effect.
  body.closest('section')?.scrollBy(0, distance);
  scrollBy(0, distance);
};

const linkAt = (body: HTMLElement | null, index: number): HTMLElement | null =>
  body?.querySelector<HTMLElement>(`:scope > [aria-rowindex="${index + 2}"] a`) ?? null;

/**
 * Returns the number of visible rows minus one, so that one row remains visible after Page Up or Page Down.
 */
const rowsPerScreen = (body: HTMLElement, link: Element): number => {
  const frame = body.closest('section')?.getBoundingClientRect();
  // The header cells are sticky, not the header row. The scroll margins contain the height of other sticky
  // elements.
  const head = body.closest('table')?.tHead?.rows[0]?.cells[0]?.getBoundingClientRect();
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(link);
  const top = Math.max(head?.bottom ?? 0, parseFloat(scrollMarginTop));
  const bottom = Math.min(frame?.bottom ?? innerHeight, innerHeight) - parseFloat(scrollMarginBottom);
  return Math.max(1, Math.floor((bottom - top) / rowHeight(body)) - 1);
};

const targetIndex = (key: string, from: number, count: number, page: () => number): number | undefined => {
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, count - 1);
    case 'ArrowUp':
      return Math.max(from - 1, 0);
    case 'PageDown':
      return Math.min(from + page(), count - 1);
    case 'PageUp':
      return Math.max(from - page(), 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
};

/**
 * Scrolls to a row that is not rendered and focuses it once it is rendered with its data. Until then, the
 * previous row keeps the focus.
 *
 * @param body the `tbody`; each row has `aria-rowindex` and one link
 * @param count number of rows of the whole list
 */
export const useRowKeys = (body: RefObject<HTMLElement | null>, count: number): RowKeys => {
  const [focused, setFocused] = useState<number>();
  /** Index of the row that gets the focus once it is rendered. */
  const pendingIndex = useRef<number>(undefined);
  const focusPendingRow = useCallback(() => {
    const link = pendingIndex.current === undefined ? null : linkAt(body.current, pendingIndex.current);
    if (link === null) return;
    pendingIndex.current = undefined;
    // Also scrolls the row into view. The scroll margins of the link keep it clear of sticky elements.
    link.focus();
  }, [body]);
  useLayoutEffect(focusPendingRow);
  useEffect(() => {
    const section = body.current?.closest('section');
    // If the focused row was removed from the list, focus the container, so that keys still work.
    if (focused !== undefined && document.activeElement === document.body) {
      section?.focus({ preventScroll: true });
    }
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const rows = event.currentTarget;
    const from = pendingIndex.current ?? getRowIndex((event.target as Element).closest('tr'));
    const target = targetIndex(event.key, from, count, () => rowsPerScreen(rows, event.target as Element));
    if (target === undefined || from < 0) return;
    event.preventDefault();
    pendingIndex.current = target;
    if (linkAt(rows, target) === null) scrollToRow(rows, target);
    focusPendingRow();
  };
  return {
    focused,
    handlers: {
      onKeyDown,
      onFocus: (event) => setFocused(getRowIndex(event.target.closest('tr'))),
      onBlur: (event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setFocused(undefined);
        pendingIndex.current = undefined;
      },
    },
  };
};
