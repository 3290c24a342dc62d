/** The form of a dialog that asks for one thing: a name, a code, a number. */
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { FormActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { securityText } from './security-text.ts';

/** What was typed, in its normal form, or what is wrong with it. */
export type ParseResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly problem: string };

interface OneFieldFormProps {
  label: string;
  hint?: ReactNode;
  input: ComponentProps<typeof Input>;
  read: (typed: string) => ParseResult;
  /** What it rejects with stands at the field. */
  onSubmit: (value: string) => Promise<unknown>;
  /** The words for that; by default the failure's own. */
  problemOf?: (failure: unknown) => string;
  onPending?: (pending: boolean) => void;
  /** In a dialog's second step, whose first took the focus with it. A first one gets it from the dialog. */
  takesFocus?: boolean;
  submitLabel: string;
  pendingLabel: string;
  onCancel: () => void;
}

export function SingleFieldForm(props: OneFieldFormProps): React.JSX.Element {
  const { read, onSubmit, problemOf = errorMessage, onPending, takesFocus = false } = props;
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const refuse = (problem: string): void => {
    setError(problem);
    input.current?.focus();
    input.current?.select();
  };
  const attempt = async (): Promise<boolean> => {
    const reading = read(input.current?.value ?? '');
    if (!reading.ok) {
      refuse(reading.problem);
      return false;
    }
    setError(undefined);
    onPending?.(true);
    try {
      await onSubmit(reading.value);
    } finally {
      onPending?.(false);
    }
    return false;
  };
  const { pending, submit } = useSubmit(attempt, (failure) => refuse(problemOf(failure)));
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <Field
        label={props.label}
        error={error}
        helpText={props.hint}
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
