/** Submits a form of the sign-in document, whose fields are read on submit. */
import { type SubmitEvent, useState } from 'react';
import { type SubmitOptions, useSubmit } from './use-submit.ts';

type Texts = Readonly<Record<string, string>>;

/** Invalid input of a form. */
export class InputError extends Error {
  /** The first message of each invalid field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields)[0]);
    this.fields = fields;
  }
}

interface UncontrolledFormOptions<Result> extends Omit<
  SubmitOptions<HTMLFormElement, Result>,
  'send' | 'showInForm'
> {
  /** Receives the fields by name. The fields show an `InputError`. */
  send: (input: Texts) => Promise<Result>;
  /** Returns the fields that show any other error. Without it, a toast shows the error. */
  fieldErrors?: (error: unknown) => Texts;
}

export function useUncontrolledForm<Result = void>({
  send,
  fieldErrors,
  ...options
}: UncontrolledFormOptions<Result>) {
  const [errors, setErrors] = useState<Texts>({});
  const showInForm = (error: unknown, form: HTMLFormElement): boolean => {
    const isInvalid = error instanceof InputError;
    const fields = isInvalid ? error.fields : fieldErrors?.(error);
    if (fields === undefined) return false;
    setErrors(fields);
    const first = form.elements.namedItem(Object.keys(fields)[0] ?? '');
    if (first instanceof HTMLInputElement) {
      first.focus();
      if (!isInvalid) first.select();
    }
    return true;
  };
  const { pending, submit, cancel } = useSubmit<HTMLFormElement, Result>({
    ...options,
    showInForm,
    send: (form) => {
      setErrors({});
      return send(Object.fromEntries(new FormData(form)) as Texts);
    },
  });
  return {
    errors,
    pending,
    cancel,
    showInForm,
    onSubmit: (event: SubmitEvent<HTMLFormElement>): void => {
      event.preventDefault();
      // React bubbles events of a dialog through the component tree, to a form that contains it.
      event.stopPropagation();
      void submit(event.currentTarget);
    },
  };
}
