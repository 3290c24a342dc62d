/** A panel with the full height of the screen that slides in from an edge. */
import { Dialog as Primitive } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import { type FocusEvent, type ReactNode, useRef } from 'react';
import { useBackLayer } from './use-back-layer.ts';
import { iconButtonStyle } from './button.tsx';
import { cx } from './cx.ts';
import { isToastPress, type OpenChangeReason } from './dialog.tsx';
import { type FinalFocus, useFinalFocus } from './final-focus.ts';
import { backdropStyle } from './overlay-style.ts';
import { useMediaQuery } from './use-media-query.ts';

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean, reason: OpenChangeReason) => void;
  /** Accessible name; visible unless `hideTitle` is set. */
  title: ReactNode;
  hideTitle?: boolean;
  description?: ReactNode;
  side?: 'left' | 'right';
  /**
   * True: the page behind is dimmed and inert, and a click outside closes the panel. False: the page remains
   * usable, and only Escape or the close button close the panel. A panel that covers the full width is always
   * modal, because the focus must not move to hidden elements.
   */
  modal?: boolean;
  /** True if the open state is in the URL, so that Back already closes the panel. */
  inUrl?: boolean;
  /** Controls between the title and the close button. */
  titleActions?: ReactNode;
  /** Hides the close button, for content with its own close control. */
  hideClose?: boolean;
  initialFocus?: Primitive.Popup.Props['initialFocus'];
  finalFocus?: FinalFocus;
  onClosed?: () => void;
  variant?: keyof typeof variants;
  children?: ReactNode;
}

const variants = {
  panel: 'w-full max-w-md border-border bg-raised text-foreground',
  sidebar: 'w-72 max-w-[calc(100vw-3rem)] border-sidebar-border bg-sidebar text-sidebar-foreground',
} as const;

const edgeStyles = {
  left: 'left-0 border-r data-ending-style:-translate-x-full data-starting-style:-translate-x-full',
  right: 'right-0 border-l data-ending-style:translate-x-full data-starting-style:translate-x-full',
} as const;

/**
 * Moves the focus to the start of the page if Tab leaves a panel that is the last element of the page. Base UI
 * then finds no next element and keeps the focus on its invisible guard.
 */
const leaveFocusGuard = ({ target }: FocusEvent): void => {
  const isStuck = target.matches('[data-base-ui-focus-guard]') && target === document.activeElement;
  if (isStuck) document.querySelector<HTMLElement>('a, button')?.focus();
};

export function Sheet(props: SheetProps): React.JSX.Element {
  const { open, onOpenChange, side = 'right', hideTitle = false, hideClose = false } = props;
  const coversWidth = useMediaQuery('(max-width: 767px)');
  const modal = (props.modal ?? true) || coversWidth;
  const closeButton = useRef<HTMLButtonElement>(null);
  const finalFocus = useFinalFocus(props.open, props.finalFocus);
  useBackLayer(open && props.inUrl !== true, () => onOpenChange(false, 'none'));
  return (
    <Primitive.Root
      open={open}
      modal={modal}
      disablePointerDismissal={!modal}
      onOpenChange={(next, details) => {
        if (isToastPress(details)) details.cancel();
        else onOpenChange(next, details.reason);
      }}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) props.onClosed?.();
      }}
    >
      {/* Receives the focus events of the guards that the portal renders in the page. */}
      <div className="contents" onFocus={leaveFocusGuard}>
        <Primitive.Portal>
          {modal && <Primitive.Backdrop className={backdropStyle} />}
          <Primitive.Popup
            // Not on the actions beside the title.
            initialFocus={props.initialFocus ?? (hideClose ? undefined : closeButton)}
            finalFocus={finalFocus}
            data-side={side}
            data-sheet=""
            data-modal-layer={modal ? '' : undefined}
            className={cx(
              'fixed inset-y-0 z-50 flex flex-col overflow-hidden shadow-lg outline-none',
              'transition-transform duration-200 ease-out motion-reduce:transition-none',
              // On phones, toasts cover the bottom of the panel. On wider screens they are next to it.
              'max-md:pb-(--toaster-room)',
              edgeStyles[side],
              variants[props.variant ?? 'panel'],
            )}
          >
            <div className={cx('flex items-start gap-3 p-5 pb-4', hideTitle && hideClose && 'sr-only')}>
              <div className={cx('grid min-w-0 flex-1 gap-1', hideTitle && 'sr-only')}>
                <Primitive.Title className="text-lg leading-6 font-semibold wrap-anywhere">
                  {props.title}
                </Primitive.Title>
                {props.description !== undefined && (
                  <Primitive.Description className="text-sm text-muted wrap-anywhere">
                    {props.description}
                  </Primitive.Description>
                )}
              </div>
              {props.titleActions}
              {!hideClose && (
                <Primitive.Close
                  ref={closeButton}
                  aria-label="Close"
                  className={cx(iconButtonStyle, '-mt-1 -mr-1 ml-auto')}
                >
                  <X aria-hidden className="size-4" />
                </Primitive.Close>
              )}
            </div>
            {props.children}
          </Primitive.Popup>
        </Primitive.Portal>
      </div>
    </Primitive.Root>
  );
}
