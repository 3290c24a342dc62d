/**
 * Shows three toasts of `toast.ts` at most; the others follow when those are dismissed. Render once per
 * document, as the last child of the root, outside any other stacking context.
 */
import { type FocusEvent, type MouseEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { cx } from './cx.ts';
import {
  dismissAllToasts,
  dismissToast,
  type ActiveToast,
  getActiveToasts,
  selectVisible,
  subscribeToToasts,
  toasterAttribute,
} from './toast.ts';
import { ToastItem } from './toast-item.tsx';

/**
 * Distance in px between the toasts and the bottom of the screen, and between the toasts and the content
 * above.
 */
const bottomMargin = 16;
const contentGap = 8;

/** Marks the line about the toasts that are not shown. */
const moreId = 'more';

const toastIdAt = (target: EventTarget | null): string | undefined =>
  target instanceof Element
    ? (target.closest('[data-toast]')?.getAttribute('data-toast') ?? undefined)
    : undefined;

/** Keeps the focus where it is: a toast whose button has the focus stays until the focus moves. */
const keepFocus = (event: MouseEvent): void => {
  if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault();
};

const noToasts: readonly ActiveToast[] = [];

export function Toaster(): React.JSX.Element {
  const toasts = useSyncExternalStore(subscribeToToasts, getActiveToasts, () => noToasts);
  const region = useRef<HTMLElement>(null);
  const [hovered, setHovered] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const focus = useFocusReturn(region);
  useToasterRoom(region);
  const visible = selectVisible(toasts);
  const hiddenCount = toasts.length - visible.size;
  // No leave event occurs if the hovered or focused toast is removed or hidden, so the others must not wait for one.
  const isShown = (id: string): boolean =>
    id === moreId ? hiddenCount > 0 : [...visible].some((each) => String(each.id) === id);
  if (hovered !== undefined && !isShown(hovered)) setHovered(undefined);
  if (focused !== undefined && !isShown(focused)) setFocused(undefined);
  const paused = hovered !== undefined || focused !== undefined;
  return (
    <section
      ref={region}
      aria-label="Notifications"
      // Each toast is a separate live region. The attribute prevents modal dialogs from hiding them.
      aria-live="off"
      {...{ [toasterAttribute]: '' }}
      className={cx(
        'pointer-events-none fixed inset-x-4 bottom-4 z-60 grid justify-items-end gap-2 sm:left-auto sm:w-96',
        // Beside the place of a panel, so that the toasts do not move when one opens. A dialog is in the middle, and pages
        // without this space have no panels.
        'md:max-w-[calc(100vw-30rem)] md:[body:has([data-toaster-space]):not(:has([data-dialog]))_&]:right-[29rem]',
        // Above the controls below a list that takes the height of the window.
        'md:[body:not(:has([data-dialog])):has([data-fits],[data-page-scrolls])_&]:bottom-16',
        // At the top while a dialog is open: in windows narrower than 80rem toasts would cover its buttons, which
        // could not be scrolled into view.
        'max-xl:[body:has([data-dialog])_&]:top-2 max-xl:[body:has([data-dialog])_&]:bottom-auto',
      )}
      // Not `pointerover`: a toast that appears under a resting pointer must not stay.
      onPointerMove={({ target }) => setHovered(toastIdAt(target))}
      onPointerLeave={() => setHovered(undefined)}
      onMouseDown={keepFocus}
      onFocus={(event) => {
        setFocused(toastIdAt(event.target));
        focus.remember(event);
      }}
      onBlur={({ relatedTarget }) => setFocused(toastIdAt(relatedTarget))}
    >
      {hiddenCount > 0 && (
        <p
          data-toast={moreId}
          className="pointer-events-auto flex items-center gap-3 rounded-md border border-border bg-raised py-1 pr-1 pl-3 text-xs text-muted shadow-md"
        >
          {hiddenCount} more
          <button
            type="button"
            className="h-6 cursor-pointer rounded px-2 font-medium text-foreground hover:bg-subtle"
            onClick={() => {
              dismissAllToasts();
              focus.restore();
            }}
          >
            Dismiss all
          </button>
        </p>
      )}
      <ol className="grid w-full gap-2">
        {toasts.map((each) => (
          <ToastItem
            key={each.id}
            toast={each}
            hidden={!visible.has(each)}
            paused={paused}
            onDismiss={() => focus.dismiss(each.id)}
          />
        ))}
      </ol>
    </section>
  );
}

/**
 * Sets `--toaster-room` to the height that the toasts cover, so that the content below can be scrolled into
 * view.
 */
function useToasterRoom(region: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = region.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const room = element.offsetHeight === 0 ? 0 : element.offsetHeight + bottomMargin + contentGap;
      document.documentElement.style.setProperty('--toaster-room', `${room}px`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [region]);
}

/**
 * Moves the focus to the next toast after a dismissal by keyboard. After one by pointer, and from the last toast, it returns
 * to the page: the next key must not press the button of another toast.
 */
function useFocusReturn(region: React.RefObject<HTMLElement | null>): {
  remember: (event: FocusEvent<HTMLElement>) => void;
  restore: () => void;
  dismiss: (id: number) => void;
} {
  const previous = useRef<HTMLElement>(null);
  const restore = (): void => previous.current?.focus();
  return {
    remember: (event) => {
      const from = event.relatedTarget;
      if (from instanceof HTMLElement && !event.currentTarget.contains(from)) previous.current = from;
    },
    restore,
    dismiss: (id) => {
      const item = region.current?.querySelector(`[data-toast="${id}"]`);
      const hadFocus = item?.contains(document.activeElement) === true;
      const isByKeyboard = document.activeElement?.matches(':focus-visible') === true;
      const next = item?.nextElementSibling ?? item?.previousElementSibling;
      const button = next?.querySelector('button');
      dismissToast(id);
      if (!hadFocus) return;
      if (button === null || button === undefined || !isByKeyboard) restore();
      else button.focus();
    },
  };
}
