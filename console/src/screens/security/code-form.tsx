/** The code that finishes adding a second step. */
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { BackendError, messageOf } from '../../backend-error.ts';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
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
  const [pending, setPending] = useState(false);
  const once = useOneAtATime();
  useEffect(() => input.current?.focus(), []);
  const submit = (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    return once(async () => {
      const code = (input.current?.value ?? '').replaceAll(/\s/g, '');
      if (!/^\d{6}$/.test(code)) {
        setError(text.codeProblem);
        input.current?.focus();
        return;
      }
      setPending(true);
      setError(undefined);
      try {
        await onSubmit(code);
      } catch (failure) {
        const wrong = failure instanceof BackendError && failure.code === 'mfa_verification_failed';
        setError(wrong ? wrongCode : messageOf(failure));
        input.current?.select();
      }
      setPending(false);
    });
  };
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
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
      <DialogActions>
        <Button variant="outline" disabled={pending} onClick={onCancel}>
          {securityText.cancel}
        </Button>
        <Button type="submit" pending={pending} pendingLabel={text.submitting}>
          {text.submit}
        </Button>
      </DialogActions>
    </form>
  );
}
