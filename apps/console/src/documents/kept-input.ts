/**
 * Keeps what the user has typed into the sign-in document when React replaces its fields: after an extension or a
 * translator has changed the prerendered page, and after an error.
 */
const values = new Map<string, string>();
let focusedName = '';

const toNamedInput = (target: EventTarget | null): HTMLInputElement | null =>
  target instanceof HTMLInputElement && target.name !== '' && target.type !== 'checkbox' ? target : null;

/** Starts to observe the fields. Call before React starts. */
export const keepInput = (): void => {
  for (const input of document.querySelectorAll('input')) {
    if (input.value !== '') values.set(input.name, input.value);
  }
  focusedName = toNamedInput(document.activeElement)?.name ?? '';
  const onInput = ({ target }: Event): void => {
    const field = toNamedInput(target);
    if (field !== null) values.set(field.name, field.value);
  };
  const onFocus = ({ target }: Event): void => {
    focusedName = toNamedInput(target)?.name ?? '';
  };
  document.addEventListener('input', onInput, { capture: true });
  document.addEventListener('focusin', onFocus, { capture: true });
};

/** Writes the input into new fields of the same name, and returns the focus to its field. */
export const restoreInput = (): void => {
  for (const input of document.querySelectorAll('input')) {
    const value = values.get(input.name);
    if (value !== undefined && input.value !== value) input.value = value;
    // Without focus, the next characters would be lost.
    const hadFocus = input.name !== '' && input.name === focusedName;
    if (hadFocus && document.activeElement === document.body) input.focus();
  }
};

/** Call when another page of the document opens: its fields can have the same names. */
export const forgetInput = (): void => {
  values.clear();
  focusedName = '';
};
