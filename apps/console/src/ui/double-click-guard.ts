/**
 * Ignores the second click of a double click, and an Enter that is repeated or held. After a click that started an action, the
 * second click is ignored everywhere. After any other click, it is ignored on a different element only: a
 * dialog may have closed between the two clicks, and the second one would hit an element behind it.
 */

/** Marks an element that starts an action, such as a request. */
export const actionAttribute = 'data-action';

/** Milliseconds between two key presses or taps that count as one. */
const intervalMs = 400;

/** Distance in px between two taps that count as one. */
const tapTolerance = 24;

interface Press {
  readonly event: PointerEvent;
  /** Time in ms at which the user pressed the key or the button. */
  readonly time: number;
  readonly control: Element | null;
  readonly isAction: boolean;
}

/** The previous press, while the next one can still belong to it. */
let last: Press | undefined;

/** Time of the Enter that is down. The click of Enter in a field has the time of its dispatch, which may be late. */
let enterTime: number | undefined;
/** True if that Enter is held: each repetition clicks the control that has the focus by then. */
let isEnterHeld = false;

const reset = (): void => {
  last = undefined;
};

/** Returns the control of a click. A click on a label also clicks its field. */
const findControl = (target: Element): Element =>
  target.closest('a,button,input') ?? target.closest('label')?.control ?? target;

const toPress = (event: PointerEvent): Press => {
  const control = event.target instanceof Element ? findControl(event.target) : null;
  const time = enterTime ?? event.timeStamp;
  return { event, time, control, isAction: control?.hasAttribute(actionAttribute) === true };
};

/** Compares position and time, because some phones report a click count of 1 for every tap. */
const isSameTap = (event: PointerEvent, before: PointerEvent): boolean =>
  event.pointerType === 'touch' &&
  event.timeStamp - before.timeStamp < intervalMs &&
  Math.hypot(event.x - before.x, event.y - before.y) < tapTolerance;

const isSamePress = ({ event, time, control, isAction }: Press): boolean => {
  // `detail` is the click count of a pointer, and 0 for a key.
  if (event.detail === 0) {
    if (last === undefined) return false;
    return isEnterHeld
      ? last.isAction || last.control !== control
      : last.isAction && time - last.time < intervalMs;
  }
  if (event.detail === 1 && (last === undefined || !isSameTap(event, last.event))) return false;
  return isAction || (last !== undefined && (last.isAction || last.control !== control));
};

const onClick = (event: PointerEvent): void => {
  const press = toPress(event);
  if (isSamePress(press)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else last = press;
};

/** Installs the guard. Call once per document, before the first render. */
export const installDoubleClickGuard = (): void => {
  addEventListener('click', onClick, { capture: true });
  // After typing or navigating by key, the next press is intentional.
  addEventListener('input', reset, { capture: true });
  addEventListener(
    'keydown',
    ({ key, timeStamp, repeat }) => {
      enterTime = key === 'Enter' ? timeStamp : undefined;
      isEnterHeld = key === 'Enter' && repeat;
      if (key !== 'Enter' && key !== ' ') reset();
    },
    { capture: true },
  );
  const endEnter = (): void => {
    enterTime = undefined;
    isEnterHeld = false;
  };
  addEventListener('keyup', endEnter, { capture: true });
  // Another window that gets the focus also gets the key up.
  addEventListener('blur', endEnter);
};
