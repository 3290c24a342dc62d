/** Moves the focus from row to row by key, also to rows that are not in the page yet. */
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
import { rowHeight } from './table.tsx';

interface RowKeys {
  /** Row that must stand in the page, because it has the focus; undefined without one. */
  readonly focused: number | undefined;
  /** For the `tbody`. */
  readonly handlers: {
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
}

/** The head is row 1. */
const indexOf = (row: Element | null): number => Number(row?.getAttribute('aria-rowindex') ?? 1) - 2;

const linkAt = (body: HTMLElement | null, index: number): HTMLElement | null =>
  body?.querySelector<HTMLElement>(`:scope > [aria-rowindex="${index + 2}"] a`) ?? null;

/** Rows between the head of the table and the lower end of what is in view, less one for orientation. */
const rowsPerScreen = (body: HTMLElement, link: Element): number => {
  const frame = body.closest('section')?.getBoundingClientRect();
  // The cells of the head stick, not the head. The margins tell what else covers the edges of the window.
  const head = body.closest('table')?.tHead?.rows[0]?.cells[0]?.getBoundingClientRect();
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(link);
  const top = Math.max(head?.bottom ?? 0, parseFloat(scrollMarginTop));
  const bottom = Math.min(frame?.bottom ?? innerHeight, innerHeight) - parseFloat(scrollMarginBottom);
  return Math.max(1, Math.floor((bottom - top) / rowHeight) - 1);
};

const targetOf = (key: string, from: number, count: number, page: () => number): number | undefined => {
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
 * A row that is not in the page is scrolled to, and gets the focus when it stands there with its data.
 * Until then the row before keeps it.
 *
 * @param body rows carry `aria-rowindex` and one link each.
 * @param count rows of the whole list.
 */
export const useRowKeys = (body: RefObject<HTMLElement | null>, count: number): RowKeys => {
  const [focused, setFocused] = useState<number>();
  /** The row that a key has named and that is not here yet. */
  const wanted = useRef<number>(undefined);
  const focusWanted = useCallback(() => {
    const link = wanted.current === undefined ? null : linkAt(body.current, wanted.current);
    if (link === null) return;
    wanted.current = undefined;
    // Scrolls as far as needed; the link's scroll margins keep it clear of what sticks to the edges.
    link.focus();
  }, [body]);
  useLayoutEffect(focusWanted);
  useEffect(() => {
    const section = body.current?.closest('section');
    // A row that had the focus may have left the list; keys go on working from its frame.
    if (focused !== undefined && document.activeElement === document.body) {
      section?.focus({ preventScroll: true });
    }
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const rows = event.currentTarget;
    const from = wanted.current ?? indexOf((event.target as Element).closest('tr'));
    const target = targetOf(event.key, from, count, () => rowsPerScreen(rows, event.target as Element));
    if (target === undefined || from < 0) return;
    event.preventDefault();
    wanted.current = target;
    if (linkAt(rows, target) === null) {
      // One of the two scrolls, the other has no room to. Puts the row into the middle of the window.
      const distance = rows.getBoundingClientRect().top + target * rowHeight - innerHeight / 2;
      rows.closest('section')?.scrollBy(0, distance);
      scrollBy(0, distance);
    }
    focusWanted();
  };
  return {
    focused,
    handlers: {
      onKeyDown,
      onFocus: (event) => setFocused(indexOf(event.target.closest('tr'))),
      onBlur: (event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setFocused(undefined);
        wanted.current = undefined;
      },
    },
  };
};
