/** The form of a dialog that asks for a name before it does something under it. */
import { type SubmitEvent, useRef, useState } from 'react';
import { messageOf } from '../../backend-error.ts';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
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
  const [pending, setPending] = useState(false);
  const once = useOneAtATime();
  const become = (next: boolean): void => {
    setPending(next);
    props.onPending?.(next);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    return once(async () => {
      const checked = checkName(input.current?.value ?? '');
      setError(checked.ok ? undefined : checked.errors.name);
      if (!checked.ok) {
        input.current?.focus();
        return;
      }
      become(true);
      try {
        await props.onSubmit(checked.values.name);
      } catch (failure) {
        setError(messageOf(failure));
        input.current?.focus();
      }
      become(false);
    });
  };
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <NameField ref={input} defaultValue={props.name} error={error} hint={props.hint} />
      <DialogActions>
        <Button variant="outline" disabled={pending} onClick={props.onCancel}>
          {securityText.cancel}
        </Button>
        <Button type="submit" pending={pending} pendingLabel={props.pendingLabel}>
          {props.submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
