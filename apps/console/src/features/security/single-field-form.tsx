/** Form of a dialog with one field, for example a name, a code or a phone number. */
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { FormActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { securityText } from './security-text.ts';

/** The normalized value of an input or its validation error. */
export type ParseResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly error: string };

interface SingleFieldFormProps {
  label: string;
  helpText?: ReactNode;
  input: ComponentProps<typeof Input>;
  read: (typed: string) => ParseResult;
  /** The field shows the error of a rejection. */
  onSubmit: (value: string) => Promise<unknown>;
  /** Defaults to `errorMessage`. */
  formatError?: (error: unknown) => string;
  onPending?: (pending: boolean) => void;
  /** Set it in later steps of a dialog. The dialog focuses the field of its first step itself. */
  takesFocus?: boolean;
  submitLabel: string;
  pendingLabel: string;
  onCancel: () => void;
}

export function SingleFieldForm(props: SingleFieldFormProps): React.JSX.Element {
  const { read, onSubmit, formatError = errorMessage, onPending, takesFocus = false } = props;
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const showError = (error: string): void => {
    setError(error);
    input.current?.focus();
    input.current?.select();
  };
  const attempt = async (): Promise<boolean> => {
    const parsed = read(input.current?.value ?? '');
    if (!parsed.ok) {
      showError(parsed.error);
      return false;
    }
    setError(undefined);
    onPending?.(true);
    try {
      await onSubmit(parsed.value);
    } finally {
      onPending?.(false);
    }
    return false;
  };
  const { pending, submit } = useSubmit(attempt, (error) => showError(formatError(error)));
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <Field
        label={props.label}
        error={error}
        helpText={props.helpText}
        render={(control) => <Input {...control} {...props.input} ref={input} />}
      />
      <FormActions
        cancelLabel={securityText.cancel}
        onCancel={props.onCancel}
        submitLabel={props.submitLabel}
        pending={pending}
        pendingLabel={props.pendingLabel}
      />
    </form>
  );
}
