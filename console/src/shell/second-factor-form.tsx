/** Asks for the six digits of an authenticator app (ruling: on /auth, before the console opens). */
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { messageOf } from '../backend-error.ts';
import { loadAuthService } from '../load-auth-service.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Select } from '../ui/select.tsx';

interface SecondFactorFormProps {
  onVerified: () => void;
}

/** One wrong code says so at the field and keeps the focus there. */
export function SecondFactorForm({ onVerified }: SecondFactorFormProps): React.JSX.Element {
  const [factors, setFactors] = useState<readonly { id: string; name: string }[]>([]);
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    void loadAuthService()
      .then((service) => service.codeFactors())
      .then(setFactors, (failure: unknown) => setError(messageOf(failure)));
    input.current?.focus();
  }, []);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    const code = String(form.get('code') ?? '').replaceAll(/\s/g, '');
    const factorId = String(form.get('factor') ?? factors[0]?.id ?? '');
    if (!/^\d{6}$/.test(code)) {
      setError('Enter the six digits of the code');
      input.current?.focus();
      return;
    }
    setPending(true);
    try {
      const outcome = await (await loadAuthService()).verifySecondFactor(factorId, code);
      if (outcome.ok) {
        onVerified();
        return;
      }
      setError(outcome.error.message);
    } catch (failure) {
      setError(messageOf(failure));
    }
    setPending(false);
    input.current?.select();
  };

  return (
    <form noValidate method="post" action="/auth" className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {factors.length > 1 && (
        <Field
          label="Authenticator"
          render={(control) => (
            <Select
              {...control}
              name="factor"
              options={factors.map((factor) => ({ value: factor.id, label: factor.name }))}
            />
          )}
        />
      )}
      <Field
        label="Code"
        error={error}
        hint="The six digits that your authenticator app shows now."
        render={(control) => (
          <Input
            {...control}
            ref={input}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            maxLength={9}
            className="h-10 text-lg tracking-[0.3em]"
          />
        )}
      />
      <Button type="submit" pending={pending} pendingLabel="Checking..." className="h-10">
        Verify code
      </Button>
    </form>
  );
}
