/**
 * Holds what the user presses in a prerendered page before its script is loaded, which can take half a minute on a slow
 * line. Afterwards the presses are repeated. `submit` covers the button of a form and Enter in a field.
 */

declare global {
  interface Window {
    /** Forms that were submitted and buttons that were pressed; undefined when the page works. */
    heldPresses?: Set<HTMLElement>;
  }
}

/** Shows that a submit is held; see `initial-view.css`. */
const heldAttribute = 'data-held';

/** Call once, before the page is shown. */
export const holdPresses = (): void => {
  window.heldPresses = new Set();
  const hold = (event: Event): void => {
    const pressed =
      event.type === 'submit'
        ? event.target
        : event.target instanceof Element && event.target.closest('button[type="button"]');
    if (window.heldPresses === undefined || !(pressed instanceof HTMLElement)) return;
    event.preventDefault();
    // A second press moves it to the end.
    window.heldPresses.delete(pressed);
    window.heldPresses.add(pressed);
    if (event.type === 'submit') document.documentElement.setAttribute(heldAttribute, '');
  };
  addEventListener('submit', hold, true);
  addEventListener('click', hold, true);
};

/** Repeats the presses. Call when the page works. */
export const releasePresses = (): void => {
  const held = window.heldPresses ?? [];
  delete window.heldPresses;
  document.documentElement.removeAttribute(heldAttribute);
  for (const pressed of held) {
    if (pressed instanceof HTMLFormElement) {
      // An extension can make React create the form again.
      const form = pressed.isConnected ? pressed : document.querySelector('form');
      form?.requestSubmit();
    } else pressed.click();
  }
};
