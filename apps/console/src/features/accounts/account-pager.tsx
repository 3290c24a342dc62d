/** Buttons and keys (Alt+Up, Alt+Down) that open the previous or next account of the list in the panel. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { getRowIndex, scrollToRow } from '../../ui/use-row-keys.ts';
import { accountPanelText } from './account-panel-text.ts';
import type { AccountsList } from './use-accounts-list.ts';

const text = accountPanelText.pager;

/** Maximum number of rows that are searched for the open account, on each side of its last position. */
const maxDistance = 1000;

export type PagerList = Pick<AccountsList, 'rowAt' | 'total' | 'loadRange'>;

/** Returns the index of the account among the loaded rows, searching from `near`; -1 if it is not found. */
const findIndexNear = ({ rowAt, total }: PagerList, id: string, near: number): number => {
  for (let distance = 0; distance <= Math.min(maxDistance, total); distance += 1)
    for (const index of [near + distance, near - distance])
      if (index >= 0 && index < total && rowAt(index)?.id === id) return index;
  return -1;
};

const findRowElement = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-account="${CSS.escape(id)}"]`);

interface AccountPagerProps {
  id: string;
  list: PagerList;
  onMove: (id: string) => void;
}

export function AccountPager({ id, list, onMove }: AccountPagerProps): React.JSX.Element {
  const last = useRef(0);
  const [index, setIndex] = useState(-1);
  /** The index to open once its page is loaded. */
  const [target, setTarget] = useState<number>();
  /** The focus is on the row of the open account, and moves with it. */
  const movesRowFocus = useRef(false);
  useEffect(() => {
    const row = findRowElement(id);
    const found = findIndexNear(list, id, row === null ? last.current : getRowIndex(row));
    if (found !== -1) last.current = found;
    setIndex(found);
  }, [list, id]);
  useRowAfterMove(id, movesRowFocus);
  const next = target === undefined ? undefined : list.rowAt(target);
  const open = useEffectEvent((row: { readonly id: string }) => {
    setTarget(undefined);
    onMove(row.id);
  });
  useEffect(() => {
    if (next !== undefined) open(next);
  }, [next]);
  const move = (step: 1 | -1): void => {
    const to = (target ?? index) + step;
    if (to < 0 || to >= list.total) return;
    movesRowFocus.current = findRowElement(id)?.contains(document.activeElement) ?? false;
    last.current = to;
    setTarget(to);
    list.loadRange(to, to);
    const body = document.querySelector('[data-account]')?.closest('tbody');
    if (body) scrollToRow(body, to);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step === undefined) return;
    // Also keeps the list and native controls from using the key.
    event.preventDefault();
    event.stopPropagation();
    move(step);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    addEventListener('keydown', listener, { capture: true });
    return () => removeEventListener('keydown', listener, { capture: true });
  }, []);
  return (
    // On a phone, the position is below the buttons, so that the name has more room.
    <div
      role="group"
      aria-label={text.label}
      className="flex items-center gap-2 max-md:grid max-md:grid-cols-2 max-md:gap-y-1"
    >
      <Button
        variant="outline"
        size="icon"
        aria-label={text.previous}
        aria-keyshortcuts="Alt+ArrowUp"
        title={`${text.previous} (Alt+↑)`}
        aria-disabled={index <= 0}
        onClick={() => move(-1)}
      >
        <ChevronUp aria-hidden />
      </Button>
      <Button
        variant="outline"
        size="icon"
        aria-label={text.next}
        aria-keyshortcuts="Alt+ArrowDown"
        title={`${text.next} (Alt+↓)`}
        aria-disabled={index + 1 >= list.total}
        onClick={() => move(1)}
      >
        <ChevronDown aria-hidden />
      </Button>
      <span className="text-xs text-muted tabular-nums max-md:col-span-2 max-md:text-center">
        {index === -1 ? '' : text.position(index + 1, list.total)}
      </span>
    </div>
  );
}

/** Returns the step of a key; undefined for other keys and while a dialog covers the panel. */
const stepOf = (event: KeyboardEvent): 1 | -1 | undefined => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  if (document.querySelector('[data-modal-layer]:not([data-sheet])') !== null) return undefined;
  // Opens the options of the browser.
  if (event.target instanceof HTMLSelectElement) return undefined;
  if (event.key === 'ArrowUp') return -1;
  return event.key === 'ArrowDown' ? 1 : undefined;
};

/** Scrolls to the row of the opened account, and moves the focus from the previous row. */
const useRowAfterMove = (id: string, movesRowFocus: React.RefObject<boolean>): void => {
  const shown = useRef(id);
  useEffect(() => {
    if (shown.current === id) return;
    const link = findRowElement(id)?.querySelector('a');
    // The row is not rendered yet.
    if (!link) return;
    shown.current = id;
    link.scrollIntoView({ block: 'nearest' });
    if (movesRowFocus.current) link.focus();
  });
};
