/**
 * A second press right behind the first is the same press: the second click of a double click, or Enter
 * pressed again before anybody could have read what came of it. Behind one that started something it is
 * dropped wherever it lands, and so is a click on something else than the first one met: what had been
 * there is gone, for example a question, and nobody meant what lay beneath.
 */

/** Marks what starts something: a request, and with it a message. */
export const actionAttribute = 'data-act';

/** ms; what people press twice within that, they meant once. */
const interval = 400;

/** px; how far a finger comes down beside its first tap. */
const slack = 24;

interface Press {
  readonly event: PointerEvent;
  readonly control: Element | null;
  readonly isAct: boolean;
}

/** The press before, while the next one may belong to it. */
let last: Press | undefined;

const forget = (): void => {
  last = undefined;
};

/** What a press is for: pressing a label presses its field as well. */
const controlOf = (target: Element): Element =>
  target.closest('a,button,input') ?? target.closest('label')?.control ?? target;

const pressOf = (event: PointerEvent): Press => {
  const control = event.target instanceof Element ? controlOf(event.target) : null;
  return { event, control, isAct: control?.hasAttribute(actionAttribute) === true };
};

/** Some phones count every tap as a first one; its place tells instead. */
const isSameTap = (event: PointerEvent, before: PointerEvent): boolean =>
  event.pointerType === 'touch' &&
  event.timeStamp - before.timeStamp < interval &&
  Math.hypot(event.x - before.x, event.y - before.y) < slack;

const isSamePress = ({ event, control, isAct }: Press): boolean => {
  // The browser counts the clicks of a pointer; a key's clicks count 0.
  if (event.detail === 0) return last?.isAct === true && event.timeStamp - last.event.timeStamp < interval;
  if (event.detail === 1 && (last === undefined || !isSameTap(event, last.event))) return false;
  return isAct || (last !== undefined && (last.isAct || last.control !== control));
};

const onClick = (event: PointerEvent): void => {
  const press = pressOf(event);
  if (isSamePress(press)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else last = press;
};

/** Once per document, before the first render. */
export const installDoubleClickGuard = (): void => {
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
