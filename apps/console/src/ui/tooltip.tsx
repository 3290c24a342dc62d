/**
 * Shows a short text about a control on hover and on focus. Escape hides it, and the pointer can move onto
 * it.
 */
import { Tooltip as Primitive } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './cx.ts';
import { popupStyle } from './overlay-style.ts';

interface TooltipProps {
  content: ReactNode;
  /** The control. It needs an accessible name, because a tooltip is no label. */
  children: ReactElement;
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** Keeps the tooltip open when the control is clicked, for feedback such as `Copied!`. */
  keepOpenOnClick?: boolean;
}

export function Tooltip({
  content,
  children,
  side = 'top',
  keepOpenOnClick = false,
}: TooltipProps): React.JSX.Element {
  return (
    <Primitive.Root>
      <Primitive.Trigger render={children} delay={400} closeOnClick={!keepOpenOnClick} />
      <Primitive.Portal>
        <Primitive.Positioner side={side} sideOffset={6} className="z-50">
          <Primitive.Popup role="tooltip" className={cx(popupStyle, 'max-w-72 px-2.5 py-1.5 text-xs')}>
            {content}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
