/** Adding a phone as second step: the number, then the code of the first message. */
import { type SubmitEvent, useRef, useState } from 'react';
import { auth } from '../../backend-auth.ts';
import { messageOf } from '../../backend-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { settled } from './auth-calls.ts';
import { CodeForm } from './code-form.tsx';
import { freeName } from './name-field.tsx';
import { securityText } from './security-text.ts';
import { beginUnder, forgetUnfinished } from './unfinished-factors.ts';
import { useAct } from './use-act.ts';

const text = securityText.phone;

interface Enrolment {
  readonly id: string;
  readonly challengeId: string;
}

interface PhoneDialogProps {
  open: boolean;
  onClose: () => void;
  taken: readonly string[];
}

export function PhoneDialog({ open, onClose, taken }: PhoneDialogProps): React.JSX.Element {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const giveUp = (): void => {
    onClose();
    if (enrolment !== undefined) forgetUnfinished(enrolment.id);
  };
  const verifies = useAct<string>({
    run: async (code) => {
      if (enrolment === undefined) return;
      const { id: factorId, challengeId } = enrolment;
      await settled(auth.mfa.verify({ factorId, challengeId, code }));
    },
    failed: '',
    done: () => ({ title: text.done, description: text.doneDescription }),
    onDone: onClose,
  });
  return (
    <Dialog
      open={open}
      title={text.title}
      description={text.description}
      className="max-w-md"
      onOpenChange={(next) => {
        if (!next) giveUp();
      }}
      onClosed={() => setEnrolment(undefined)}
    >
      {enrolment === undefined ? (
        <NumberForm name={freeName(text.suggestion, taken)} onCancel={onClose} onSent={setEnrolment} />
      ) : (
        <CodeForm
          hint={text.codeHint}
          wrongCode={text.wrongCode}
          onCancel={giveUp}
          onSubmit={(code) => verifies.mutateAsync(code)}
        />
      )}
    </Dialog>
  );
}

/** Writes a code to the number; a factor whose message could not be sent is taken back. */
const begin = async (friendlyName: string, phone: string): Promise<Enrolment> => {
  const { id } = await beginUnder(friendlyName, () =>
    settled(auth.mfa.enroll({ factorType: 'phone', friendlyName, phone })),
  );
  try {
    const challenge = await settled(auth.mfa.challenge({ factorId: id, channel: 'sms' }));
    return { id, challengeId: challenge.id };
  } catch (error) {
    forgetUnfinished(id);
    throw error;
  }
};

interface NumberFormProps {
  name: string;
  onCancel: () => void;
  onSent: (enrolment: Enrolment) => void;
}

function NumberForm({ name, onCancel, onSent }: NumberFormProps): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const once = useOneAtATime();
  const submit = (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    return once(async () => {
      const phone = (input.current?.value ?? '').replaceAll(/[\s().-]/g, '');
      if (!/^\+[1-9]\d{6,14}$/.test(phone)) {
        setError(text.numberProblem);
        input.current?.focus();
        return;
      }
      setPending(true);
      try {
        onSent(await begin(name, phone));
      } catch (failure) {
        setError(messageOf(failure));
      }
      setPending(false);
    });
  };
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <Field
        label={text.number}
        error={error}
        hint={text.numberHint}
        render={(control) => <Input {...control} ref={input} type="tel" name="phone" autoComplete="tel" />}
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
