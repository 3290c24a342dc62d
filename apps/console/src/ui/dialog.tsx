/** A centered modal dialog. */
import { Dialog as Primitive } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button, iconButtonStyle } from './button.tsx';
import { cx } from './cx.ts';
import { type FinalFocus, useFinalFocus } from './final-focus.ts';
import { backdropStyle } from './overlay-style.ts';
import { useBackLayer } from './use-back-layer.ts';
import { toasterAttribute } from './toast.ts';
import { useHeightChange } from './use-height-change.ts';
import { QuotedText } from './quoted-text.tsx';

/** The reason of an open change in Base UI, for example `outside-press`, `escape-key` or `close-press`. */
export type OpenChangeReason = Primitive.Root.ChangeEventReason;

/** Returns true for a click on a toast. Dismissing a toast must not close the dialog below it. */
export const isToastPress = (details: Primitive.Root.ChangeEventDetails): boolean =>
  details.event.target instanceof Element && details.event.target.closest(`[${toasterAttribute}]`) !== null;

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean, reason: OpenChangeReason) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Use `alertdialog` for a confirmation. */
  role?: 'dialog' | 'alertdialog';
  /** If false, there is no close button, and Escape and clicks outside do not close the dialog. */
  dismissible?: boolean;
  /** True if the open state is in the URL, so that Back already closes the dialog. */
  inUrl?: boolean;
  initialFocus?: Primitive.Popup.Props['initialFocus'];
  finalFocus?: FinalFocus;
  /** Called after the closing transition, for example to reset the content. */
  onClosed?: () => void;
  size?: 'md' | 'lg';
  children?: ReactNode;
}

/**
 * A controlled dialog: the parent can ignore a close request, for example to confirm it first. The focus
 * moves into the dialog on open and back on close.
 */
export function Dialog(props: DialogProps): React.JSX.Element {
  const {
    open,
    onOpenChange,
    title,
    description,
    role = 'dialog',
    dismissible = true,
    size = 'lg',
    children,
  } = props;
  const finalFocus = useFinalFocus(open, props.finalFocus);
  useBackLayer(open && dismissible && props.inUrl !== true, () => onOpenChange(false, 'none'));
  return (
    <Primitive.Root
      open={open}
      // A click outside does not close a confirmation: it may be the second click of a double click.
      disablePointerDismissal={!dismissible || role === 'alertdialog'}
      onOpenChange={(next, details) => {
        if (isToastPress(details) || (!dismissible && details.reason === 'escape-key')) details.cancel();
        else onOpenChange(next, details.reason);
      }}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) props.onClosed?.();
      }}
    >
      <Primitive.Portal>
        <Primitive.Backdrop forceRender className={backdropStyle} />
        <Viewport>
          <Primitive.Popup
            role={role}
            data-modal-layer=""
            data-dialog=""
            initialFocus={props.initialFocus}
            finalFocus={finalFocus}
            className={cx(
              'relative row-start-2 grid w-full grid-cols-1 gap-5 rounded-lg border border-border bg-raised p-6 text-foreground shadow-lg outline-none',
              'transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0 motion-reduce:transition-none',
              size === 'lg' ? 'max-w-lg' : 'max-w-md',
            )}
          >
            <div className="grid gap-1.5">
              <Primitive.Title className="pr-8 text-lg leading-6 font-semibold wrap-anywhere">
                <QuotedText>{title}</QuotedText>
              </Primitive.Title>
              {description !== undefined && (
                <Primitive.Description className="text-sm text-muted wrap-anywhere">
                  <QuotedText>{description}</QuotedText>
                </Primitive.Description>
              )}
            </div>
            {children}
            {dismissible && (
              <Primitive.Close aria-label="Close" className={cx(iconButtonStyle, 'absolute top-4 right-4')}>
                <X aria-hidden className="size-4" />
              </Primitive.Close>
            )}
          </Primitive.Popup>
        </Viewport>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/**
 * Scrolls a dialog that is taller than the screen. In windows narrower than 80rem, toasts cover the top: the space
 * above the dialog grows with them, and the scroll position is adjusted so that the buttons do not move.
 */
function Viewport({ children }: { children: ReactNode }): React.JSX.Element {
  const viewport = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const last = useRef({ scrollTop: 0, spacerHeight: 0 });
  // Also called on scroll: a smaller spacer first causes a scroll event, because the scroll range shrinks.
  const keepScrollPosition = (): void => {
    const spacerHeight = spacer.current?.offsetHeight ?? 0;
    const deltaPx = spacerHeight - last.current.spacerHeight;
    if (deltaPx !== 0) viewport.current?.scrollTo(0, last.current.scrollTop + deltaPx);
    last.current = { scrollTop: viewport.current?.scrollTop ?? 0, spacerHeight };
  };
  useHeightChange(spacer, keepScrollPosition);
  useLayoutEffect(() => {
    last.current.spacerHeight = spacer.current?.offsetHeight ?? 0;
  }, []);
  return (
    <Primitive.Viewport
      ref={viewport}
      onScroll={keepScrollPosition}
      className="fixed inset-0 z-50 grid grid-rows-[1fr_auto_1fr] justify-items-center overflow-y-auto p-4 [overflow-anchor:none] max-xl:grid-rows-[minmax(var(--toaster-room),1fr)_auto_1fr]"
    >
      <div ref={spacer} aria-hidden />
      {children}
    </Primitive.Viewport>
  );
}

/** The row of buttons at the bottom of a dialog: Cancel first, then the action. */
export function DialogActions({ children }: { children: ReactNode }): React.JSX.Element {
  return (
    <div className="flex flex-col-reverse gap-2 sm:flex-row sm:flex-wrap sm:justify-end">{children}</div>
  );
}

interface FormActionsProps {
  cancelLabel: string;
  onCancel: () => void;
  submitLabel: string;
  pending: boolean;
  pendingLabel: string;
  destructive: boolean;
}

/** The buttons of a form in a dialog. Cancel works also while pending, because a request can take half a minute. */
export function FormActions(props: FormActionsProps): React.JSX.Element {
  return (
    <DialogActions>
      <Button variant="outline" onClick={props.onCancel}>
        {props.cancelLabel}
      </Button>
      <Button
        type="submit"
        variant={props.destructive ? 'destructive' : 'default'}
        pending={props.pending}
        pendingLabel={props.pendingLabel}
      >
        {props.submitLabel}
      </Button>
    </DialogActions>
  );
}
