/**
 * One toast. A success is dismissed after 7 s, with a button after 10 s, not counting time in which the toast or the tab is hidden, or
 * the list is hovered or focused. An error stays until the user dismisses it.
 */
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { cx } from './cx.ts';
import { actionAttribute } from './double-click-guard.ts';
import { type ActiveToast, dismissToast, isLasting } from './toast.ts';
import { QuotedText } from './quoted-text.tsx';

const successDurationMs = 7000;
/** The time to read the message and to press the button. */
const buttonDurationMs = 10_000;

interface ToastItemProps {
  toast: ActiveToast;
  hidden: boolean;
  paused: boolean;
  onDismiss: () => void;
}

const icons = {
  failed: { Icon: CircleAlert, color: 'text-destructive' },
  /** A persistent toast that is no error: the user has to do something. */
  notice: { Icon: Info, color: 'text-muted' },
  done: { Icon: CircleCheck, color: 'text-success' },
} as const;

export function ToastItem({ toast, hidden, paused, onDismiss }: ToastItemProps): React.JSX.Element {
  const failed = toast.variant === 'destructive';
  const announced = useAnnouncement();
  const { Icon, color } = failed ? icons.failed : toast.persistent === true ? icons.notice : icons.done;
  return (
    <li
      hidden={hidden}
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
        durationMs={
          isLasting(toast) ? undefined : toast.button === undefined ? successDurationMs : buttonDurationMs
        }
        paused={paused || hidden}
        onElapsed={() => dismissToast(toast.id)}
      />
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', color)} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <div role={failed ? 'alert' : 'status'} aria-atomic="true">
          {/* The key remounts the text after each replacement, so that screen readers announce it again. */}
          {announced && <ToastText key={toast.replaceCount} toast={toast} />}
        </div>
        {toast.progress !== undefined && (
          <div className="mt-0.5 text-muted tabular-nums">{toast.progress}</div>
        )}
        {toast.button !== undefined && <ToastButton button={toast.button} onDismiss={onDismiss} />}
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

function ToastButton({
  button,
  onDismiss,
}: {
  button: NonNullable<ActiveToast['button']>;
  onDismiss: () => void;
}): React.JSX.Element {
  return (
    <button
      type="button"
      {...{ [actionAttribute]: '' }}
      className="mt-2 h-8 cursor-pointer rounded-md border border-input px-3 font-medium hover:bg-subtle"
      onClick={() => {
        // Dismissed first, because the action may show a toast of its own.
        onDismiss();
        button.onPress();
      }}
    >
      {button.label}
    </button>
  );
}

/** The space between title and description lets screen readers read both as one text. */
function ToastText({ toast }: { toast: ActiveToast }): React.JSX.Element {
  return (
    <>
      <div className="max-h-24 overflow-y-auto font-semibold text-foreground">
        <QuotedText>{toast.title}</QuotedText>
      </div>{' '}
      {toast.description !== '' && (
        <div className="mt-0.5 max-h-40 overflow-y-auto text-muted">
          <QuotedText>{toast.description}</QuotedText>
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
