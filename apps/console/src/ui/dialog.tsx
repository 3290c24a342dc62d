/** A modal dialog in the middle of the screen. */
import { Dialog as Primitive } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { type FinalFocus, unlessFocusMoved } from './final-focus.ts';
import { backdropStyle, closeButtonStyle } from './overlay-style.ts';
import { toasterAttribute } from './toaster-attribute.ts';
import { useHeightChange } from './use-height-change.ts';

/** Why a layer wants to change: 'outside-press', 'escape-key', 'close-press' or another word of Base UI. */
export type OpenChangeReason = Primitive.Root.ChangeEventReason;

/** True for presses on a message at the screen's edge: dismissing one may not close what lies below. */
export const isToastPress = (details: Primitive.Root.ChangeEventDetails): boolean =>
  details.event.target instanceof Element && details.event.target.closest(`[${toasterAttribute}]`) !== null;

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean, reason: OpenChangeReason) => void;
  title: ReactNode;
  description?: ReactNode;
  /** 'alertdialog' for questions that must be answered. */
  role?: 'dialog' | 'alertdialog';
  /** False where there is no way round: no close button, and neither Escape nor a press beside it asks to close. */
  dismissible?: boolean;
  initialFocus?: Primitive.Popup.Props['initialFocus'];
  finalFocus?: FinalFocus;
  /** After the closing movement; the place to forget what was shown. */
  onClosed?: () => void;
  className?: string;
  children?: ReactNode;
}

/**
 * The caller decides whether a wish to close is followed (a changed form asks first).
 * Focus moves in on opening and back to where it was on closing.
 */
export function Dialog(props: DialogProps): React.JSX.Element {
  const {
    open,
    onOpenChange,
    title,
    description,
    role = 'dialog',
    dismissible = true,
    className,
    children,
  } = props;
  return (
    <Primitive.Root
      open={open}
      // A question is answered, not brushed aside: the second click of a double click may land beside it.
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
            finalFocus={unlessFocusMoved(props.finalFocus)}
            className={cx(
              'relative row-start-2 grid w-full max-w-lg gap-5 rounded-lg border border-border bg-raised p-6 text-foreground shadow-lg outline-none',
              'transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0 motion-reduce:transition-none',
              className,
            )}
          >
            <div className="grid gap-1.5">
              <Primitive.Title className="pr-8 text-lg leading-6 font-semibold wrap-anywhere">
                {title}
              </Primitive.Title>
              {description !== undefined && (
                <Primitive.Description className="text-sm text-muted wrap-anywhere">
                  {description}
                </Primitive.Description>
              )}
            </div>
            {children}
            {dismissible && (
              <Primitive.Close aria-label="Close" className={cx(closeButtonStyle, 'absolute top-4 right-4')}>
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
 * Scrolls where the dialog is higher than the screen. On a phone messages stand at the upper end: the dialog's
 * head can be scrolled free of them, and its buttons stay where they were when one comes or goes.
 */
function Viewport({ children }: { children: ReactNode }): React.JSX.Element {
  const viewport = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const seen = useRef({ top: 0, room: 0 });
  // Also at a scroll: room that is gone shortens the way, which comes first as one.
  const keepPlace = (): void => {
    const room = above.current?.offsetHeight ?? 0;
    const grown = room - seen.current.room;
    if (grown !== 0) viewport.current?.scrollTo(0, seen.current.top + grown);
    seen.current = { top: viewport.current?.scrollTop ?? 0, room };
  };
  useHeightChange(above, keepPlace);
  useLayoutEffect(() => {
    seen.current.room = above.current?.offsetHeight ?? 0;
  }, []);
  return (
    <Primitive.Viewport
      ref={viewport}
      onScroll={keepPlace}
      className="fixed inset-0 z-50 grid grid-rows-[1fr_auto_1fr] justify-items-center overflow-y-auto p-4 [overflow-anchor:none] max-md:grid-rows-[minmax(var(--toaster-room),1fr)_auto_1fr]"
    >
      <div ref={above} aria-hidden />
      {children}
    </Primitive.Viewport>
  );
}

/** The row of buttons at a dialog's foot: the way back left of the act. */
export function DialogActions({ children }: { children: ReactNode }): React.JSX.Element {
  return <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}

interface FormActionsProps {
  cancelLabel: string;
  onCancel: () => void;
  submitLabel: string;
  pending: boolean;
  pendingLabel: string;
}

/** The two buttons of a form in a dialog. What is on its way cannot be called back. */
export function FormActions(props: FormActionsProps): React.JSX.Element {
  return (
    <DialogActions>
      <Button variant="outline" disabled={props.pending} onClick={props.onCancel}>
        {props.cancelLabel}
      </Button>
      <Button type="submit" pending={props.pending} pendingLabel={props.pendingLabel}>
        {props.submitLabel}
      </Button>
    </DialogActions>
  );
}
