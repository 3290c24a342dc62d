/**
 * Holds what the user presses in a prerendered page before its script is loaded, which can take half a minute on a slow
 * line. Afterwards the last press is repeated. `submit` covers the button of a form and Enter in a field.
 */

declare global {
  interface Window {
    /** The form that was submitted or the button that was pressed last; undefined when presses are not held. */
    heldPress?: { pressed: HTMLElement | null } | undefined;
  }
}

/** Shows that a submit is held; see `initial-view.css`. */
const heldAttribute = 'data-held';

/** A press that is held for longer is dropped, and the next one loads the page again. */
const maxHoldMs = 30_000;

const endHold = (): void => {
  delete window.heldPress;
  document.documentElement.removeAttribute(heldAttribute);
};

/** Call once, before the page is shown. */
export const holdPresses = (): void => {
  window.heldPress = { pressed: null };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = (event: Event): void => {
    const isSubmit = event.type === 'submit';
    const pressed = isSubmit
      ? event.target
      : event.target instanceof Element && event.target.closest('button[type="button"]');
    if (window.heldPress === undefined || !(pressed instanceof HTMLElement)) return;
    event.preventDefault();
    window.heldPress.pressed = pressed;
    document.documentElement.toggleAttribute(heldAttribute, isSubmit);
    clearTimeout(timer);
    timer = setTimeout(endHold, maxHoldMs);
  };
  addEventListener('submit', hold, true);
  addEventListener('click', hold, true);
  const drop = (): void => {
    if (window.heldPress?.pressed instanceof HTMLFormElement) window.heldPress.pressed = null;
    document.documentElement.removeAttribute(heldAttribute);
  };
  // The form would be sent with a part of the new input.
  addEventListener('input', drop, true);
  // Without its script, the page handles no press. A submit then loads it again.
  const onError = ({ target }: Event): void => {
    if (target instanceof HTMLScriptElement && target.type === 'module') endHold();
  };
  addEventListener('error', onError, true);
};

const fieldNames = ({ elements }: HTMLFormElement): string =>
  Array.from(elements, (element) => element.getAttribute('name')).join();

const currentForm = (form: HTMLFormElement): HTMLFormElement | undefined =>
  [...document.forms].find((each) => fieldNames(each) === fieldNames(form));

/** Texts differ after a translation, and IDs after React has created the page again. */
const currentButton = (button: HTMLElement): HTMLElement | undefined => {
  const alike = (page: ParentNode): HTMLElement[] =>
    [...page.querySelectorAll('button')].filter(({ className }) => className === button.className);
  return alike(document)[alike(button.getRootNode() as HTMLElement).indexOf(button)];
};

/** Repeats the last press. Call when the page works. A translator or an extension can make React create the page again. */
export const releasePresses = (): void => {
  const pressed = window.heldPress?.pressed ?? null;
  endHold();
  if (pressed instanceof HTMLFormElement)
    (pressed.isConnected ? pressed : currentForm(pressed))?.requestSubmit();
  else if (pressed !== null) (pressed.isConnected ? pressed : currentButton(pressed))?.click();
};
