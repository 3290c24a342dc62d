/** A small panel next to the button that opens it. */
import { Popover as Primitive } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { useLayerState } from './use-back-layer.ts';
import { cx } from './cx.ts';
import { popupStyle } from './overlay-style.ts';

interface PopoverProps {
  trigger: ReactElement;
  title: ReactNode;
  description?: ReactNode;
  align?: 'start' | 'center' | 'end';
  /** For a controlled popover only. */
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  children?: ReactNode;
}

export function Popover(props: PopoverProps): React.JSX.Element {
  const { trigger, title, description, align = 'center', children } = props;
  const { open, onOpenChange } = useLayerState(props);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger render={trigger} />
      <Primitive.Portal>
        <Primitive.Positioner align={align} sideOffset={6} className="z-50">
          <Primitive.Popup
            className={cx(
              popupStyle,
              'grid w-72 max-w-[calc(100vw-2rem)] gap-3 overflow-y-auto p-4 print:hidden',
              // Toasts must not cover the controls.
              'max-h-[calc(var(--available-height)-var(--toaster-room,0px))]',
            )}
          >
            <div className="grid gap-1">
              <Primitive.Title className="text-sm font-semibold">{title}</Primitive.Title>
              {description !== undefined && (
                <Primitive.Description className="text-sm text-muted">{description}</Primitive.Description>
              )}
            </div>
            {children}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
