/** The form of a dialog that asks for a name before it does something under it. */
import { useRef, useState } from 'react';
import { messageOf } from '../../backend-error.ts';
import { FormActions } from '../../ui/dialog.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { checkName, NameField } from './name-field.tsx';
import { securityText } from './security-text.ts';

interface NameStepProps {
  name: string;
  hint?: string | undefined;
  submitLabel: string;
  pendingLabel: string;
  onCancel: () => void;
  /** What it rejects with stands at the field. */
  onSubmit: (name: string) => Promise<unknown>;
  onPending?: (pending: boolean) => void;
}

export function NameStep(props: NameStepProps): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const attempt = async (): Promise<boolean> => {
    const checked = checkName(input.current?.value ?? '');
    setError(checked.ok ? undefined : checked.errors.name);
    if (!checked.ok) {
      input.current?.focus();
      return false;
    }
    props.onPending?.(true);
    try {
      await props.onSubmit(checked.values.name);
    } finally {
      props.onPending?.(false);
    }
    return false;
  };
  const { pending, submit } = useSubmission(attempt, (failure) => {
    setError(messageOf(failure));
    input.current?.focus();
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <NameField ref={input} defaultValue={props.name} error={error} hint={props.hint} />
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
