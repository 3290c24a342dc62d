/** The code that finishes adding a second step. */
import { useEffect, useRef, useState } from 'react';
import { BackendError, messageOf } from '../../backend-error.ts';
import { FormActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { securityText } from './security-text.ts';

const text = securityText.app;

interface CodeFormProps {
  hint: string;
  wrongCode: string;
  onCancel: () => void;
  onSubmit: (code: string) => Promise<unknown>;
}

export function CodeForm({ hint, wrongCode, onCancel, onSubmit }: CodeFormProps): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  useEffect(() => input.current?.focus(), []);
  const attempt = async (): Promise<boolean> => {
    const code = (input.current?.value ?? '').replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(code)) {
      setError(text.codeProblem);
      input.current?.focus();
      return false;
    }
    setError(undefined);
    await onSubmit(code);
    return false;
  };
  const { pending, submit } = useSubmission(attempt, (failure) => {
    const wrong = failure instanceof BackendError && failure.code === 'mfa_verification_failed';
    setError(wrong ? wrongCode : messageOf(failure));
    input.current?.select();
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <Field
        label={text.code}
        error={error}
        hint={hint}
        render={(control) => (
          <Input
            {...control}
            ref={input}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            maxLength={9}
            className="h-10 text-lg tracking-[0.3em] md:text-lg"
          />
        )}
      />
      <FormActions
        cancelLabel={securityText.cancel}
        onCancel={onCancel}
        submitLabel={text.submit}
        pending={pending}
        pendingLabel={text.submitting}
      />
    </form>
  );
}
