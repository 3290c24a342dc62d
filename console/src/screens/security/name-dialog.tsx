/** A dialog that asks for one name and then does something under it: a key, a passkey, another name. */
import { type SubmitEvent, useRef, useState } from 'react';
import { messageOf } from '../../backend-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { checkName, NameField } from './name-field.tsx';
import { securityText } from './security-text.ts';

interface NameDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  name: string;
  hint?: string;
  submitLabel: string;
  pendingLabel: string;
  /** Resolves when it is done; what it rejects with stands at the field. */
  onSubmit: (name: string) => Promise<unknown>;
}

export function NameDialog(props: NameDialogProps): React.JSX.Element {
  const [pending, setPending] = useState(false);
  return (
    <Dialog
      open={props.open}
      title={props.title}
      description={props.description}
      className="max-w-md"
      onOpenChange={(next) => {
        if (!next && !pending) props.onClose();
      }}
    >
      {/* The content goes when the dialog closes, and with it what was typed. */}
      <NameForm {...props} pending={pending} onPending={setPending} />
    </Dialog>
  );
}

function NameForm(
  props: NameDialogProps & { pending: boolean; onPending: (pending: boolean) => void },
): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const once = useOneAtATime();
  const submit = (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    return once(async () => {
      const checked = checkName(input.current?.value ?? '');
      setError(checked.ok ? undefined : checked.errors.name);
      if (!checked.ok) {
        input.current?.focus();
        return;
      }
      props.onPending(true);
      try {
        await props.onSubmit(checked.values.name);
        props.onClose();
      } catch (failure) {
        setError(messageOf(failure));
      } finally {
        props.onPending(false);
      }
    });
  };
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <NameField ref={input} defaultValue={props.name} error={error} hint={props.hint} />
      <DialogActions>
        <Button variant="outline" disabled={props.pending} onClick={props.onClose}>
          {securityText.cancel}
        </Button>
        <Button type="submit" pending={props.pending} pendingLabel={props.pendingLabel}>
          {props.submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
