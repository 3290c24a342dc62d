/**
 * A second press right behind one that started something is the same press: the second click of a
 * double click, or Enter pressed again before anybody could have read what came of it. It is dropped
 * wherever it lands, because the dialog that took the first one may be gone by then.
 */

/** Marks what starts something: a request, and with it a message. */
export const actAttribute = 'data-act';

/** ms; what people press twice within that, they meant once. */
const interval = 400;

/** When the last press on an act was, and whether the next one may belong to it. */
let pressedAt: number | undefined;

const forget = (): void => {
  pressedAt = undefined;
};

const isSamePress = (event: MouseEvent, isAct: boolean): boolean => {
  // The browser counts the clicks of a pointer; a key's clicks count 0.
  if (event.detail > 0) return event.detail > 1 && (isAct || pressedAt !== undefined);
  return pressedAt !== undefined && event.timeStamp - pressedAt < interval;
};

const onClick = (event: MouseEvent): void => {
  const isAct = event.target instanceof Element && event.target.closest(`[${actAttribute}]`) !== null;
  if (isSamePress(event, isAct)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else pressedAt = isAct ? event.timeStamp : undefined;
};

/** Once per document, before the first render. */
export const dropDoublePresses = (): void => {
  addEventListener('click', onClick, { capture: true });
  // Whoever has typed or moved on since means the next press.
  addEventListener('input', forget, { capture: true });
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key !== 'Enter' && key !== ' ') forget();
    },
    { capture: true },
  );
};
