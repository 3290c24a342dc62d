/** A panel that slides in from an edge and takes the screen's height. */
import { Dialog as Primitive } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { isToastPress, type OpenChangeReason } from './dialog.tsx';
import { type FinalFocus, unlessFocusMoved } from './final-focus.ts';
import { backdropStyle, closeButtonStyle } from './overlay-style.ts';
import { useMediaQuery } from './use-media-query.ts';

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean, reason: OpenChangeReason) => void;
  /** The accessible name; shown unless `hideTitle`. */
  title: ReactNode;
  hideTitle?: boolean;
  description?: ReactNode;
  side?: 'left' | 'right';
  /**
   * True: the page behind is dimmed and out of reach, a press beside the panel closes it.
   * False: the page stays usable beside the panel, and only Escape or the close button close it. Where
   * the panel covers the whole width it is modal all the same: focus must not go where nobody sees it.
   */
  modal?: boolean;
  /** Without the close button at the top, where the content has its own way out. */
  hideClose?: boolean;
  initialFocus?: Primitive.Popup.Props['initialFocus'];
  finalFocus?: FinalFocus;
  onClosed?: () => void;
  /** Width and colours of the panel. */
  className?: string;
  children?: ReactNode;
}

const edge = {
  left: 'left-0 border-r data-ending-style:-translate-x-full data-starting-style:-translate-x-full',
  right: 'right-0 border-l data-ending-style:translate-x-full data-starting-style:translate-x-full',
} as const;

export function Sheet(props: SheetProps): React.JSX.Element {
  const { open, onOpenChange, side = 'right', hideTitle = false, hideClose = false } = props;
  const coversAll = useMediaQuery('(max-width: 767px)');
  const modal = (props.modal ?? true) || coversAll;
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
      <Primitive.Portal>
        {modal && <Primitive.Backdrop className={backdropStyle} />}
        <Primitive.Popup
          initialFocus={props.initialFocus}
          finalFocus={unlessFocusMoved(props.finalFocus)}
          data-side={side}
          data-sheet=""
          data-modal-layer={modal ? '' : undefined}
          className={cx(
            'fixed inset-y-0 z-50 flex w-full max-w-md flex-col overflow-hidden border-border bg-raised text-foreground shadow-lg outline-none',
            'transition-transform duration-200 ease-out motion-reduce:transition-none',
            // Messages stand over its lower end on a phone, and beside it elsewhere.
            'max-md:pb-(--toaster-room)',
            edge[side],
            props.className,
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
            {!hideClose && (
              <Primitive.Close aria-label="Close" className={cx(closeButtonStyle, '-mt-1 -mr-1 ml-auto')}>
                <X aria-hidden className="size-4" />
              </Primitive.Close>
            )}
          </div>
          {props.children}
        </Primitive.Popup>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
