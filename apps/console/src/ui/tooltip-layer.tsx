/**
 * Shows the hints of `hint.ts` on hover and on keyboard focus. One layer for all of them, loaded
 * when the page is at rest, so that no control waits for it. Escape hides it, the pointer may rest on it.
 */
import { Tooltip as Primitive } from '@base-ui/react/tooltip';
import { useEffect, useState } from 'react';
import { cx } from './cx.ts';
import { popupStyle } from './overlay-style.ts';

const hoverDelay = 400;
const leaveDelay = 120;

const hinted = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null;

const sideOf = (element: HTMLElement | null): 'top' | 'bottom' | 'left' | 'right' => {
  const side = element?.dataset['hintSide'];
  return side === 'bottom' || side === 'left' || side === 'right' ? side : 'top';
};

/** `open` only says that it is wanted. */
export function TooltipLayer(_props: { open: boolean }): React.JSX.Element {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = (next: HTMLElement | null, delay: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setAnchor(next), delay);
    };
    const over = (event: PointerEvent): void => {
      const onHint = event.target instanceof Element && event.target.closest('[data-hint-popup]') !== null;
      if (onHint) clearTimeout(timer);
      else if (event.pointerType !== 'touch')
        plan(hinted(event.target), hinted(event.target) ? hoverDelay : leaveDelay);
    };
    const focus = (event: FocusEvent): void => {
      const element = hinted(event.target);
      if (element?.matches(':focus-visible') === true) plan(element, 0);
    };
    const hide = (): void => plan(null, 0);
    const key = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide();
    };
    const listening = new AbortController();
    const options = { signal: listening.signal, capture: true };
    document.addEventListener('pointerover', over, options);
    document.addEventListener('focusin', focus, options);
    for (const type of ['focusout', 'pointerdown', 'scroll']) document.addEventListener(type, hide, options);
    document.addEventListener('keydown', key, options);
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, []);
  return (
    <Primitive.Root open={anchor !== null}>
      <Primitive.Portal>
        <Primitive.Positioner anchor={anchor} side={sideOf(anchor)} sideOffset={6} className="z-50">
          <Primitive.Popup
            role="tooltip"
            data-hint-popup=""
            className={cx(popupStyle, 'max-w-72 px-2.5 py-1.5 text-xs')}
          >
            {anchor?.dataset['hint']}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
