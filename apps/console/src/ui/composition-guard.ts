/**
 * Leaves the keys of an input method to it: while the user composes text, Escape, Enter and the arrow keys choose or end
 * the composition. They must not clear a search, close a dialog or submit a form.
 */

/** The key code of a key that the input method handles. Safari ends the composition before it reports its Enter. */
const compositionKeyCode = 229;

const isCompositionKey = (event: KeyboardEvent): boolean =>
  event.isComposing || Reflect.get(event, 'keyCode') === compositionKeyCode;

/** Installs the guard. Call once per document, before any other listener of the window. */
export const installCompositionGuard = (): void => {
  addEventListener(
    'keydown',
    (event) => {
      // Shortcuts are not part of a composition.
      if (!isCompositionKey(event) || event.ctrlKey || event.metaKey) return;
      event.stopImmediatePropagation();
      // By default, Enter submits the form, and Escape clears a search field.
      if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault();
    },
    { capture: true },
  );
};
