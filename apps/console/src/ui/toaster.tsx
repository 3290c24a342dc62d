/**
 * Shows the newest three toasts of `toast.ts`; older ones follow when those are dismissed. A success is
 * dismissed after 7 s, not counting time in which it is hovered, focused or hidden; an error stays until the
 * user dismisses it. Render once per document, as the last child of the root, outside any other stacking
 * context.
 */
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import X from 'lucide-react/icons/x';
import { type FocusEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { cx } from './cx.ts';
import {
  dismissAllToasts,
  dismissToast,
  type ActiveToast,
  getActiveToasts,
  subscribeToToasts,
  visibleToasts,
} from './toast.ts';
import { toasterAttribute } from './toaster-attribute.ts';

const successDurationMs = 7000;

/**
 * Distance in px between the toasts and the bottom of the screen, and between the toasts and the content
 * above.
 */
const bottomMargin = 16;
const contentGap = 8;

const noToasts: readonly ActiveToast[] = [];

export function Toaster(): React.JSX.Element {
  const toasts = useSyncExternalStore(subscribeToToasts, getActiveToasts, () => noToasts);
  const region = useRef<HTMLElement>(null);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const focus = useFocusReturn(region);
  useToasterRoom(region);
  const hiddenCount = toasts.length - visibleToasts;
  // No leave event occurs if the hovered or focused toast is removed.
  const paused = toasts.length > 0 && (hovered || focused);
  return (
    <section
      ref={region}
      aria-label="Notifications"
      // Each toast is a separate live region. The attribute prevents modal dialogs from hiding them.
      aria-live="off"
      {...{ [toasterAttribute]: '' }}
      className={cx(
        'pointer-events-none fixed inset-x-4 bottom-4 z-60 grid justify-items-end gap-2 sm:left-auto sm:w-96',
        // Next to an open panel, not over it.
        'md:[body:has([data-sheet][data-side=right])_&]:right-[29rem] md:max-w-[calc(100vw-30rem)]',
        // At the top of a phone while a dialog is open: its buttons are at the bottom and could not be
        // scrolled into view.
        'max-md:[body:has([data-dialog])_&]:top-2 max-md:[body:has([data-dialog])_&]:bottom-auto',
      )}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={(event) => {
        setFocused(true);
        focus.remember(event);
      }}
      onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
    >
      {hiddenCount > 0 && (
        <p className="pointer-events-auto flex items-center gap-3 rounded-md border border-border bg-raised py-1 pr-1 pl-3 text-xs text-muted shadow-md">
          {hiddenCount} more
          <button
            type="button"
            className=" h-6 cursor-pointer rounded px-2 font-medium text-foreground hover:bg-subtle"
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
        {toasts.slice(-visibleToasts).map((each) => (
          <ToastItem key={each.id} toast={each} paused={paused} onDismiss={() => focus.dismiss(each.id)} />
        ))}
      </ol>
    </section>
  );
}

interface ToastItemProps {
  toast: ActiveToast;
  paused: boolean;
  onDismiss: () => void;
}

const icons = {
  failed: { Icon: CircleAlert, color: 'text-destructive' },
  /** A persistent toast that is no error: the user has to do something. */
  notice: { Icon: Info, color: 'text-muted' },
  done: { Icon: CircleCheck, color: 'text-success' },
} as const;

function ToastItem({ toast, paused, onDismiss }: ToastItemProps): React.JSX.Element {
  const failed = toast.variant === 'destructive';
  const announced = useAnnouncement();
  const { Icon, color } = failed ? icons.failed : toast.persistent === true ? icons.notice : icons.done;
  return (
    <li
      data-variant={toast.variant}
      data-toast={toast.id}
      className={cx(
        'pointer-events-auto flex items-start gap-3 rounded-lg border bg-raised p-3 pl-4 text-sm shadow-lg',
        'transition-[opacity,translate] duration-150 starting:translate-y-2 starting:opacity-0 motion-reduce:transition-none',
        failed ? 'border-destructive' : 'border-border',
      )}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDismiss();
      }}
    >
      <DismissTimer
        key={toast.replaceCount}
        durationMs={failed || toast.persistent === true ? undefined : successDurationMs}
        paused={paused}
        onElapsed={() => dismissToast(toast.id)}
      />
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', color)} />
      <div role={failed ? 'alert' : 'status'} aria-atomic="true" className="min-w-0 flex-1 wrap-anywhere">
        {/* The key remounts the text after each replacement, so that screen readers announce it again. */}
        {announced && <ToastText key={toast.replaceCount} toast={toast} />}
      </div>
      <button
        type="button"
        aria-label="Dismiss notification"
        className=" -my-0.5 inline-flex size-6 shrink-0 cursor-pointer items-center justify-center rounded text-muted hover:bg-subtle hover:text-foreground"
        onClick={onDismiss}
      >
        <X aria-hidden className="size-4" />
      </button>
    </li>
  );
}

/** The space between title and description lets screen readers read both as one text. */
function ToastText({ toast }: { toast: ActiveToast }): React.JSX.Element {
  return (
    <>
      <div className="max-h-24 overflow-y-auto font-semibold text-foreground" dir="auto">
        {toast.title}
      </div>{' '}
      {toast.description !== '' && (
        <div className="mt-0.5 max-h-40 overflow-y-auto text-muted" dir="auto">
          {toast.description}
        </div>
      )}
    </>
  );
}

/**
 * Returns false on the first render. Screen readers announce changes of a live region, not its initial
 * content.
 */
function useAnnouncement(): boolean {
  const [announced, setAnnounced] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(true));
    return () => clearTimeout(timer);
  }, []);
  return announced;
}

interface DismissTimerProps {
  /** Milliseconds, not counting time that is paused or in a hidden tab; undefined for no limit. */
  durationMs: number | undefined;
  paused: boolean;
  onElapsed: () => void;
}

/** Renders nothing and calls `onElapsed` after the duration. */
function DismissTimer({ durationMs, paused, onElapsed }: DismissTimerProps): null {
  const remainingMs = useRef(durationMs);
  const latestOnElapsed = useRef(onElapsed);
  useEffect(() => {
    latestOnElapsed.current = onElapsed;
  });
  const hidden = useSyncExternalStore(
    subscribeToVisibility,
    () => document.hidden,
    () => false,
  );
  const running = durationMs !== undefined && !paused && !hidden;
  useEffect(() => {
    if (!running) return undefined;
    const startedAt = performance.now();
    const timer = setTimeout(() => latestOnElapsed.current(), remainingMs.current);
    return () => {
      clearTimeout(timer);
      remainingMs.current = Math.max(0, (remainingMs.current ?? 0) - (performance.now() - startedAt));
    };
  }, [running]);
  return null;
}

const subscribeToVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

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
 * Moves the focus to the next toast after a dismissal by keyboard, and from the last toast back to the page.
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
      const next = item?.nextElementSibling ?? item?.previousElementSibling;
      const button = next?.querySelector('button');
      dismissToast(id);
      if (!hadFocus) return;
      if (button === null || button === undefined) restore();
      else button.focus();
    },
  };
}
