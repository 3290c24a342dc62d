/**
 * Shows what `toast.ts` holds: the newest three, older ones come back as those leave. Successes stay
 * 7 s of visible, unhovered, unfocused time; failures until dismissed. Rendered once per document,
 * as the last child of the root, never inside an element with its own stacking context.
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

const successDuration = 7000;

/** px between the messages and the screen's lower end, and what can be scrolled free of them. */
const edge = 16;
const gap = 8;

const none: readonly ActiveToast[] = [];

export function Toaster(): React.JSX.Element {
  const raised = useSyncExternalStore(subscribeToToasts, getActiveToasts, () => none);
  const region = useRef<HTMLElement>(null);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const focus = useFocusReturn(region);
  useRoom(region);
  const waiting = raised.length - visibleToasts;
  // The last hovered or focused message may have been removed without a leave event.
  const paused = raised.length > 0 && (hovered || focused);
  return (
    <section
      ref={region}
      aria-label="Notifications"
      // Each message is a live region of its own; the attribute keeps modal dialogs from hiding them.
      aria-live="off"
      {...{ [toasterAttribute]: '' }}
      className={cx(
        'pointer-events-none fixed inset-x-4 bottom-4 z-60 grid justify-items-end gap-2 sm:left-auto sm:w-96',
        // Beside a panel, not over it, in what room there is.
        'md:[body:has([data-sheet][data-side=right])_&]:right-[29rem] md:max-w-[calc(100vw-30rem)]',
        // On a phone a dialog's buttons stand where messages stand, and nothing can be scrolled past them.
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
      {waiting > 0 && (
        <p className="pointer-events-auto flex items-center gap-3 rounded-md border border-border bg-raised py-1 pr-1 pl-3 text-xs text-muted shadow-md">
          {waiting} more
          <button
            type="button"
            className=" h-6 cursor-pointer rounded px-2 font-medium text-foreground hover:bg-subtle"
            onClick={() => {
              dismissAllToasts();
              focus.giveBack();
            }}
          >
            Dismiss all
          </button>
        </p>
      )}
      <ol className="grid w-full gap-2">
        {raised.slice(-visibleToasts).map((each) => (
          <ToastItem key={each.id} toast={each} paused={paused} onDismiss={() => focus.leave(each.id)} />
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
  /** Asks for something to be done although nothing failed. */
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
      <TimeLeft
        key={toast.renewals}
        duration={failed || toast.persistent === true ? undefined : successDuration}
        paused={paused}
        onOver={() => dismissToast(toast.id)}
      />
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', color)} />
      <div role={failed ? 'alert' : 'status'} aria-atomic="true" className="min-w-0 flex-1 wrap-anywhere">
        {/* With each renewal a new one, which is read out again. */}
        {announced && <ToastText key={toast.renewals} toast={toast} />}
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

/** Title and description are two text nodes with a space between, so that both read as one sentence. */
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

/** Screen readers tell a live region's changes, not its first content: it starts empty. */
function useAnnouncement(): boolean {
  const [announced, setAnnounced] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(true));
    return () => clearTimeout(timer);
  }, []);
  return announced;
}

interface TimeLeftProps {
  /** ms that are neither paused nor in a hidden tab; undefined for ever. */
  duration: number | undefined;
  paused: boolean;
  onOver: () => void;
}

/** Shows nothing and calls `onOver` in time. */
function TimeLeft({ duration, paused, onOver }: TimeLeftProps): null {
  const left = useRef(duration);
  const over = useRef(onOver);
  useEffect(() => {
    over.current = onOver;
  });
  const hidden = useSyncExternalStore(
    subscribeToVisibility,
    () => document.hidden,
    () => false,
  );
  const running = duration !== undefined && !paused && !hidden;
  useEffect(() => {
    if (!running) return undefined;
    const started = performance.now();
    const timer = setTimeout(() => over.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(0, (left.current ?? 0) - (performance.now() - started));
    };
  }, [running]);
  return null;
}

const subscribeToVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** Tells the page how much of its lower end is covered, so that everything can be scrolled free. */
function useRoom(region: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = region.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const room = element.offsetHeight === 0 ? 0 : element.offsetHeight + edge + gap;
      document.documentElement.style.setProperty('--toaster-room', `${room}px`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [region]);
}

/** Dismissing by keyboard moves to the next message, and from the last one back to the page. */
function useFocusReturn(region: React.RefObject<HTMLElement | null>): {
  remember: (event: FocusEvent<HTMLElement>) => void;
  giveBack: () => void;
  leave: (id: number) => void;
} {
  const before = useRef<HTMLElement>(null);
  const giveBack = (): void => before.current?.focus();
  return {
    remember: (event) => {
      const from = event.relatedTarget;
      if (from instanceof HTMLElement && !event.currentTarget.contains(from)) before.current = from;
    },
    giveBack,
    leave: (id) => {
      const item = region.current?.querySelector(`[data-toast="${id}"]`);
      const hadFocus = item?.contains(document.activeElement) === true;
      const next = item?.nextElementSibling ?? item?.previousElementSibling;
      const button = next?.querySelector('button');
      dismissToast(id);
      if (!hadFocus) return;
      if (button === null || button === undefined) giveBack();
      else button.focus();
    },
  };
}
