/** A small panel next to the button that opens it. */
import { Popover as Primitive } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './cx.ts';
import { popupStyle } from './overlay-style.ts';

interface PopoverProps {
  trigger: ReactElement;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
}

export function Popover({ trigger, title, description, children }: PopoverProps): React.JSX.Element {
  return (
    <Primitive.Root>
      <Primitive.Trigger render={trigger} />
      <Primitive.Portal>
        <Primitive.Positioner sideOffset={6} className="z-50">
          <Primitive.Popup className={cx(popupStyle, 'grid w-72 max-w-[calc(100vw-2rem)] gap-3 p-4')}>
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
