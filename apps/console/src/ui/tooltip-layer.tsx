/**
 * Shows the tooltips of `tooltip-props.ts` on hover and on keyboard focus. One component shows all of them, and is loaded
 * for the first one. Escape hides the tooltip, and the pointer can move onto it. `tooltip.tsx` is for content that is not
 * plain text.
 */
import { Tooltip as Primitive } from '@base-ui/react/tooltip';
import { useEffect, useState } from 'react';
import { cx } from './cx.ts';
import { popupStyle } from './overlay-style.ts';
import { findTooltipAnchor, type TooltipSide } from './tooltip-props.ts';

const hoverDelayMs = 400;
const leaveDelayMs = 120;

const readSide = (element: HTMLElement | null): TooltipSide => {
  const side = element?.dataset['tooltipSide'];
  return side === 'bottom' || side === 'left' || side === 'right' ? side : 'top';
};

/** `open` is unused: `lazyOverlay` requires the prop and loads the component when it is true. */
export function TooltipLayer(_props: { open: boolean }): React.JSX.Element {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = (next: HTMLElement | null, delayMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setAnchor(next), delayMs);
    };
    const onPointerOver = (event: PointerEvent): void => {
      const isOverTooltip =
        event.target instanceof Element && event.target.closest('[data-tooltip-popup]') !== null;
      const next = findTooltipAnchor(event.target);
      if (isOverTooltip) clearTimeout(timer);
      else if (event.pointerType !== 'touch') schedule(next, next === null ? leaveDelayMs : hoverDelayMs);
    };
    const onFocusIn = (event: FocusEvent): void => {
      const element = findTooltipAnchor(event.target);
      if (element?.matches(':focus-visible') === true) schedule(element, 0);
    };
    const hide = (): void => schedule(null, 0);
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide();
    };
    // The control for which the layer was loaded.
    schedule(document.querySelector<HTMLElement>('[data-tooltip]:is(:hover, :focus-visible)'), 0);
    const listeners = new AbortController();
    const options = { signal: listeners.signal, capture: true };
    document.addEventListener('pointerover', onPointerOver, options);
    document.addEventListener('focusin', onFocusIn, options);
    for (const type of ['focusout', 'pointerdown', 'scroll']) document.addEventListener(type, hide, options);
    document.addEventListener('keydown', onKeyDown, options);
    return () => {
      listeners.abort();
      clearTimeout(timer);
    };
  }, []);
  return (
    <Primitive.Root open={anchor !== null}>
      <Primitive.Portal>
        <Primitive.Positioner anchor={anchor} side={readSide(anchor)} sideOffset={6} className="z-50">
          <Primitive.Popup
            role="tooltip"
            data-tooltip-popup=""
            className={cx(popupStyle, 'max-w-72 px-2.5 py-1.5 text-xs')}
          >
            {anchor?.dataset['tooltip']}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
